import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KEY_ACTION_NAMES } from '../../contract/api-keys.ts';
import { getPago } from '../../contract/pagar.ts';
import { anotarPago } from '../../contract/payments.ts';
import { importPedidos } from '../../contract/pedidos.import.ts';
import * as api from '../../contract/pedidos.ts';
import { getUser } from '../../contract/session.ts';
import { updateSettings } from '../../contract/settings.ts';
import { listDisponibles } from '../../contract/transportista.ts';
import { updateUser } from '../../contract/users.ts';
import { createWorld, everyRole, type Person, type World } from '../../test/world.ts';

let world: World;
let admin: Person;
let reseller: Person;
let carrier: Person;
let pack_id: string;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  ({ superadmin: admin, revendedor: reseller, transportista: carrier } = await everyRole(world));
  ({ id: pack_id } = await world.pack({ pack_price_cents: 3450 }));
  await offer(true);
});

const offer = (cashOnDelivery: boolean) => admin.call(updateSettings, { body: { cashOnDelivery } });
const permit = (contra_reembolso = true) => admin.call(updateUser, { params: { id: reseller.user.id }, body: { contra_reembolso } });
const BODY = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', contra_reembolso: true };
const make = (who: Pick<Person, 'call'>, more: object = {}) => who.call(api.createPedido, { body: { ...BODY, pack_id, ...more } });

describe('an order paid on delivery', () => {
  it('starts pending and unpaid, and its page says what will be paid', async () => {
    await permit();
    const { status, body } = await make(reseller);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ estado: 'pendiente', contra_reembolso: true, pagado: 0, pendiente: 34.5, por_cobrar: 34.5 });
    const token = body.payment_link?.split('/').at(-1) ?? '';
    const page = async () => (await world.nobody().call(getPago, { params: { token } })).body.data;
    expect(await page()).toMatchObject({ contra_reembolso: true, por_pagar: true, pendiente: 34.5 });
    // Paid before, nothing is collected.
    await admin.call(anotarPago, { params: { id: body.data.id }, body: { metodo: 'bizum', importe: 34.5, fecha: '2026-01-05' } });
    expect(await page()).toMatchObject({ por_pagar: false, pendiente: 0 });
    expect((await admin.call(api.getPedido, { params: { id: body.data.id } })).body.data).toMatchObject({ por_cobrar: 0 });
  });

  it('needs the setting, and the permission of its reseller', async () => {
    const refusal = async (who: Person, more = {}) => {
      const { status, body } = await make(who, more);
      return [status, (body as { message: string }).message];
    };
    expect(await refusal(reseller)).toEqual([422, 'No puedes vender contra reembolso: pídelo a un administrador']);
    const filas = [{ ...BODY, pack_id }];
    expect((await reseller.call(importPedidos, { body: { filas } })).status).toBe(422);
    expect((await make(admin, { revendedor_id: reseller.user.id })).status).toBe(201);
    await permit();
    expect((await make(reseller)).status).toBe(201);
    expect((await reseller.call(importPedidos, { body: { filas } })).status).toBe(201);
    await offer(false);
    for (const who of [reseller, admin])
      expect(await refusal(who)).toEqual([422, 'El pago contra reembolso no está activado en Configuración']);
    expect((await reseller.call(importPedidos, { body: { filas } })).status).toBe(422);
    expect((await make(reseller, { contra_reembolso: false })).status).toBe(201);
  });

  it('is told to the screens only where it may be sold or delivered', async () => {
    const told = async () =>
      Promise.all([admin, reseller, carrier].map(async (who) => (await who.call(getUser)).body.user.contra_reembolso ?? false));
    expect(await told()).toEqual([true, false, true]);
    await permit();
    expect(await told()).toEqual([true, true, true]);
    await offer(false);
    expect(await told()).toEqual([false, false, false]);
  });

  it('is made by a key, and duplicated, while the setting is on', async () => {
    const { status, body } = await make(await world.program(KEY_ACTION_NAMES));
    expect([status, body.data.estado]).toEqual([201, 'pendiente']);
    const copy = async () => (await admin.call(api.duplicatePedido, { params: { id: body.data.id } })).body.data;
    expect(await copy()).toMatchObject({ contra_reembolso: true, estado: 'pendiente' });
    await offer(false);
    expect(await copy()).toMatchObject({ contra_reembolso: false, estado: 'pendiente' });
  });

  it('comes to less than 1.000 €, also when its lines or its address change', async () => {
    const law = /^Desde 1\.000\s€ no se puede pagar contra reembolso: la Ley 11\/2021/;
    const { id: dear } = await world.pack({ pack_price_cents: 100_000 });
    const { id: almost } = await world.pack({ pack_price_cents: 99_999 });
    expect((await make(admin, { pack_id: dear })).body.message).toMatch(law);
    const made = await make(admin, { pack_id: almost });
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    const lines = await admin.call(api.setLineas, { params: { id }, body: { lineas: [{ pack_id: dear, cantidad: 1 }] } });
    expect([lines.status, lines.body.message]).toEqual([422, expect.stringMatching(law)]);
    await admin.call(updateSettings, { body: { shippingBaleares: 5 } });
    const moved = await admin.call(api.updatePedido, {
      params: { id },
      body: { ...BODY_EDITED, cliente_codigo_postal: '07001', cliente_provincia: 'Illes Balears' },
    });
    expect([moved.status, moved.body.message]).toEqual([422, expect.stringMatching(law)]);
    // An order prepaid has no such limit.
    expect((await make(admin, { pack_id: dear, contra_reembolso: false })).status).toBe(201);
  });

  it('takes the price of another zone while nothing is paid', async () => {
    await admin.call(updateSettings, { body: { shippingBaleares: 5 } });
    const { id } = (await make(admin)).body.data;
    const moved = { ...BODY_EDITED, cliente_codigo_postal: '07001', cliente_provincia: 'Illes Balears' };
    expect((await admin.call(api.updatePedido, { params: { id }, body: moved })).body.data).toMatchObject({ por_cobrar: 39.5 });
  });

  it('tells its amount to its own carrier, and to no other', async () => {
    const { id } = (await make(admin)).body.data;
    const other = await world.as(await world.user({ role: 'transportista' }));
    const offered = (await other.call(listDisponibles)).body.data;
    expect(offered).toMatchObject([{ id, contra_reembolso: true }]);
    expect(JSON.stringify(offered)).not.toMatch(/por_cobrar|34[.,]?5/);
    await admin.call(api.assignTransportista, { params: { id }, body: { transportista_id: carrier.user.id } });
    expect((await carrier.call(api.getPedido, { params: { id } })).body.data).toMatchObject({ por_cobrar: 34.5 });
    expect((await carrier.call(api.listPedidos)).body.data).toMatchObject([{ id, por_cobrar: 34.5 }]);
    expect((await other.call(api.getPedido, { params: { id } })).status).toBe(404);
    const { id: plain } = await world.pedido({ estado: 'asignado', transportista_id: carrier.user.id });
    expect((await carrier.call(api.getPedido, { params: { id: plain } })).body.data).toMatchObject({ por_cobrar: null });
  });
});

const BODY_EDITED = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1' };
