import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KEY_ACTION_NAMES } from '../../../contract/api-keys/fields.ts';
import { getPago } from '../../../contract/pagar/pagar.ts';
import { anotarPago } from '../../../contract/payments/payments.ts';
import { importPedidos } from '../../../contract/pedidos/import.ts';
import { lotePedidos } from '../../../contract/pedidos/lote.ts';
import * as api from '../../../contract/pedidos/pedidos.ts';
import { getUser } from '../../../contract/session/session.ts';
import { updateSettings } from '../../../contract/settings/settings.ts';
import { listDisponibles } from '../../../contract/transportista/transportista.ts';
import { updateUser } from '../../../contract/users/users.ts';
import { createWorld, everyRole, type Person, type World } from '../../../test/world.ts';

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
  it('an order paid on delivery starts as pendiente, and its payment page shows the amount to pay', async () => {
    await permit();
    const { status, body } = await make(reseller);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ estado: 'pendiente', contra_reembolso: true, pagado: 0, pendiente: 34.5, por_cobrar: 34.5 });
    const token = body.payment_link?.split('/').at(-1) ?? '';
    const page = async () => (await world.nobody().call(getPago, { params: { token } })).body.data;
    expect(await page()).toMatchObject({ contra_reembolso: true, por_pagar: true, pendiente: 34.5 });
    // Once the order is paid in advance, nothing is collected.
    await admin.call(anotarPago, { params: { id: body.data.id }, body: { metodo: 'bizum', importe: 34.5, fecha: '2026-01-05' } });
    expect(await page()).toMatchObject({ por_pagar: false, pendiente: 0 });
    expect((await admin.call(api.getPedido, { params: { id: body.data.id } })).body.data).toMatchObject({ por_cobrar: 0 });
  });

  it('an order paid on delivery is refused while cashOnDelivery is off, or from a reseller without permission', async () => {
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

  it('payment on delivery is offered only on the screens of people who can sell or deliver such orders', async () => {
    const offers = async () =>
      Promise.all([admin, reseller, carrier].map(async (who) => (await who.call(getUser)).body.user.contra_reembolso ?? false));
    expect(await offers()).toEqual([true, false, true]);
    await permit();
    expect(await offers()).toEqual([true, true, true]);
    await offer(false);
    expect(await offers()).toEqual([false, false, false]);
  });

  it('copies of an order paid on delivery are paid on delivery only while cashOnDelivery is on', async () => {
    const { status, body } = await make(await world.program(KEY_ACTION_NAMES));
    expect([status, body.data.estado]).toEqual([201, 'pendiente']);
    const copy = async () => (await admin.call(api.duplicatePedido, { params: { id: body.data.id } })).body.data;
    expect(await copy()).toMatchObject({ contra_reembolso: true, estado: 'pendiente' });
    await offer(false);
    expect(await copy()).toMatchObject({ contra_reembolso: false, estado: 'pendiente' });
  });

  it('an order paid on delivery must cost less than 1.000 €, even after a change of lines or address', async () => {
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
    // A prepaid order has no such limit.
    expect((await make(admin, { pack_id: dear, contra_reembolso: false })).status).toBe(201);
  });

  it('an order of 1.000 € paid on delivery is refused by the database too', async () => {
    const { id } = await world.pedido({ contra_reembolso: true, estado: 'pendiente', precio_total_cents: 99_999 });
    const raise = world.db.updateTable('pedidos').set({ precio_total_cents: 100_000 }).where('id', '=', id);
    await expect(raise.execute()).rejects.toThrow('pedidos_reembolso_limite');
  });

  it('the rules of payment on delivery apply to imports, copies and orders of keys', async () => {
    const { id: dear } = await world.pack({ pack_price_cents: 100_000 });
    const imported = await admin.call(importPedidos, {
      body: {
        filas: [
          { ...BODY, pack_id },
          { ...BODY, pack_id: dear },
        ],
      },
    });
    const errors = Object.keys((imported.body as unknown as { errors: object }).errors);
    expect([imported.status, errors]).toEqual([422, ['filas.1.contra_reembolso']]);
    const program = await world.program(KEY_ACTION_NAMES);
    expect((await make(program, { pack_id: dear })).status).toBe(422);
    // A copy has today's price.
    const { id } = (await make(admin)).body.data;
    await world.db.updateTable('product_packs').set({ pack_price_cents: 100_000 }).where('id', '=', pack_id).execute();
    const copy = await admin.call(api.duplicatePedido, { params: { id } });
    expect([copy.status, Object.keys((copy.body as unknown as { errors: object }).errors)]).toEqual([422, ['contra_reembolso']]);
    await offer(false);
    expect((await make(program)).status).toBe(422);
    expect(await world.db.selectFrom('pedidos').select('id').execute()).toHaveLength(1);
  });

  it('an order paid on delivery can still be restored and delivered after the setting is turned off', async () => {
    const { id } = (await make(admin)).body.data;
    await admin.call(api.deletePedido, { params: { id } });
    await offer(false);
    expect((await admin.call(api.restorePedido, { params: { id } })).status).toBe(200);
    await admin.call(api.assignTransportista, { params: { id }, body: { transportista_id: carrier.user.id } });
    expect((await carrier.call(api.getPedido, { params: { id } })).body.data).toMatchObject({ contra_reembolso: true, por_cobrar: 34.5 });
    await carrier.call(api.setEstado, { params: { id }, body: { estado: 'en_proceso' } });
    await carrier.call(api.setEstado, { params: { id }, body: { estado: 'en_ruta' } });
    const body = { estado: 'completado', metodo_entrega: 'manual', cobrado: 34.5, cobrado_metodo: 'efectivo' } as const;
    expect((await carrier.call(api.setEstado, { params: { id }, body })).status).toBe(200);
    // Carrier and office still see the cash desk, because there is cash to hand over and confirm.
    const session = async (who: Person) => (await who.call(getUser)).body.user;
    for (const who of [carrier, admin]) expect(await session(who)).toMatchObject({ caja: true });
    for (const who of [reseller, await world.as(await world.user({ role: 'transportista' }))])
      expect(await session(who)).not.toHaveProperty('caja');
    expect(await session(admin)).not.toHaveProperty('contra_reembolso');
  });

  it('payment on delivery cannot be added by an edit, and a reseller needs the office’s permission', async () => {
    const { id } = (await make(admin, { contra_reembolso: false })).body.data;
    const body = { ...BODY_EDITED, contra_reembolso: true };
    expect((await admin.call(api.updatePedido, { params: { id }, body: body as never })).status).toBe(422);
    for (const who of [reseller, carrier]) {
      const change = { params: { id: reseller.user.id }, body: { contra_reembolso: true } };
      expect((await who.call(updateUser, change)).status).toBe(403);
    }
    expect((await make(reseller)).status).toBe(422);
    await permit();
    expect((await make(reseller)).status).toBe(201);
    await permit(false);
    expect((await make(reseller)).status).toBe(422);
    const log = world.db
      .selectFrom('audit_logs')
      .select('despues')
      .where('entity_id', '=', reseller.user.id)
      .where('action', '=', 'update');
    expect((await log.orderBy('created_at').execute()).map(({ despues }) => despues)).toEqual([
      { contra_reembolso: true },
      { contra_reembolso: false },
    ]);
  });

  it('an unpaid order on delivery gets the shipping of its new zone', async () => {
    await admin.call(updateSettings, { body: { shippingBaleares: 5 } });
    const { id } = (await make(admin)).body.data;
    const moved = { ...BODY_EDITED, cliente_codigo_postal: '07001', cliente_provincia: 'Illes Balears' };
    expect((await admin.call(api.updatePedido, { params: { id }, body: moved })).body.data).toMatchObject({ por_cobrar: 39.5 });
  });

  it('an order paid on delivery shows its amount to its own carrier only', async () => {
    const { id } = (await make(admin)).body.data;
    const other = await world.as(await world.user({ role: 'transportista' }));
    const offered = (await other.call(listDisponibles)).body.data;
    expect(offered).toMatchObject([{ id, contra_reembolso: true }]);
    // Matches amounts only: an id or a time can contain the same digits.
    expect(JSON.stringify(offered)).not.toMatch(/por_cobrar|[:"]34[.,]5(?!\d)/);
    await admin.call(api.assignTransportista, { params: { id }, body: { transportista_id: carrier.user.id } });
    expect((await carrier.call(api.getPedido, { params: { id } })).body.data).toMatchObject({ por_cobrar: 34.5 });
    expect((await carrier.call(api.listPedidos)).body.data).toMatchObject([{ id, por_cobrar: 34.5 }]);
    expect((await other.call(api.getPedido, { params: { id } })).status).toBe(404);
    const { id: plain } = await world.pedido({ estado: 'asignado', transportista_id: carrier.user.id });
    expect((await carrier.call(api.getPedido, { params: { id: plain } })).body.data).toMatchObject({ por_cobrar: null });
  });

  it('a carrier reads the share of each line only where parts are delivered and money is collected', async () => {
    const { id } = (await make(admin)).body.data;
    await admin.call(api.assignTransportista, { params: { id }, body: { transportista_id: carrier.user.id } });
    const { id: plain } = await world.pedido({ estado: 'asignado', transportista_id: carrier.user.id });
    const shares = async (id: string) =>
      ((await carrier.call(api.getPedido, { params: { id } })).body.data as { lineas: { por_cobrar?: number }[] }).lineas.map(
        ({ por_cobrar }) => por_cobrar,
      );
    await admin.call(updateSettings, { body: { partialDeliveries: false } });
    expect(await shares(id)).toEqual([undefined]);
    await admin.call(updateSettings, { body: { partialDeliveries: true } });
    expect([await shares(id), await shares(plain)]).toEqual([[expect.any(Number)], [undefined]]);
  });
});

const BODY_EDITED = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1' };

describe('completing an order paid on delivery', () => {
  const held = async (more: object = {}) => (await world.pedido({ ...HELD, transportista_id: carrier.user.id, ...more })).id;
  const HELD = { estado: 'en_ruta', contra_reembolso: true, precio_total_cents: 3450 } as const;
  const complete = (id: string, more: object = {}, who = carrier) =>
    who.call(api.setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega: 'manual', ...more } });
  const ALL = { cobrado: 34.5, cobrado_metodo: 'efectivo' } as const;
  const pagos = (id: string) => world.db.selectFrom('pagos').selectAll().where('pedido_id', '=', id).execute();
  const read = async (id: string) => (await admin.call(api.getPedido, { params: { id } })).body.data;

  it('completing an order on delivery needs amount and method, and books the payment with its carrier', async () => {
    const id = await held();
    for (const [more, field] of [
      [{}, 'cobrado'],
      [{ cobrado: 34.5 }, 'cobrado_metodo'],
      [{ ...ALL, cobrado: 35 }, 'cobrado'],
      [{ ...ALL, cobrado: 30 }, 'cobrado_motivo'],
      [{ cobrado: 0 }, 'cobrado_motivo'],
      [{ ...ALL, cobrado_metodo: 'transferencia' }, 'cobrado_metodo'],
    ] as const) {
      const { status, body } = await complete(id, more);
      expect([status, Object.keys((body as unknown as { errors: object }).errors)], JSON.stringify(more)).toEqual([422, [field]]);
    }
    expect([await pagos(id), (await read(id)).estado]).toEqual([[], 'en_ruta']);
    expect((await complete(id, ALL)).status).toBe(200);
    expect(await read(id)).toMatchObject({ estado: 'completado', pagado: 34.5, pendiente: 0, por_cobrar: 0 });
    const [pago] = await pagos(id);
    expect(pago).toMatchObject({ proveedor: 'efectivo', importe_cents: 3450, estado: 'pagado', transportista_id: carrier.user.id });
    expect(pago?.caja_dia).toBe(pago?.fecha);
    const [entry] = (await admin.call(api.getHistorial, { params: { id } })).body.data;
    expect(entry?.nota).toMatch(/^Cobrado 34,50\s€ · Efectivo$/);
  });

  it('completing an order paid on delivery with a reason can leave a part or all of the price unpaid', async () => {
    const [part, none] = [await held(), await held()];
    await complete(part, { ...ALL, cobrado: 30, cobrado_motivo: 'No tenía más' });
    await complete(none, { cobrado: 0, cobrado_motivo: 'Pagará mañana' });
    expect([await read(part), await read(none)]).toMatchObject([
      { estado: 'completado', pendiente: 4.5 },
      { estado: 'completado', pendiente: 34.5 },
    ]);
    const owed = async (pagado: 'no' | 'parte') => (await admin.call(api.listPedidos, { query: { pagado } })).body.data.map(({ id }) => id);
    expect([await owed('parte'), await owed('no')]).toEqual([[part], [none]]);
  });

  it('completing an order needs no amount unless the order is paid on delivery and still unpaid', async () => {
    const plain = await held({ contra_reembolso: false });
    expect((await complete(plain, ALL)).body.message).toBe('En este pedido no hay nada que cobrar');
    expect((await complete(plain)).status).toBe(200);
    const id = await held();
    await admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe: 34.5, fecha: '2026-01-05' } });
    expect((await complete(id, ALL)).status).toBe(422);
    expect((await complete(id)).status).toBe(200);
  });

  it('completing an order paid on delivery twice concurrently books the payment once', async () => {
    const id = await held();
    const replies = await Promise.all([complete(id, ALL), complete(id, ALL)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await pagos(id)).toHaveLength(1);
  });

  it('only cash collected by a carrier enters a cash desk', async () => {
    const [card, office] = [await held(), await held({ estado: 'pendiente', transportista_id: null })];
    await complete(card, { ...ALL, cobrado_metodo: 'tarjeta' });
    await complete(office, ALL, admin);
    expect([...(await pagos(card)), ...(await pagos(office))]).toMatchObject([
      { transportista_id: carrier.user.id, caja_dia: null },
      { transportista_id: null, caja_dia: null },
    ]);
  });

  it('completing many orders skips orders with money to collect, and says so', async () => {
    const [id, plain] = [await held(), await held({ contra_reembolso: false })];
    const accion = { tipo: 'completar', metodo_entrega: 'manual' } as const;
    const { data } = (await admin.call(lotePedidos, { body: { pedidos: { ids: [id, plain] }, accion } })).body;
    expect(data.find((row) => row.id === id)).toMatchObject({ ok: false, message: 'Indica cuánto has cobrado' });
    expect(data.find((row) => row.id === plain)).toMatchObject({ ok: true });
  });

  it('a carrier cannot complete another carrier’s order, and nothing is booked', async () => {
    const id = await held();
    const other = await world.as(await world.user({ role: 'transportista' }));
    expect((await complete(id, ALL, other)).status).toBe(404);
    expect(await pagos(id)).toEqual([]);
  });
});
