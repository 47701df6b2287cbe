import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anotarPago } from '../../../contract/payments/payments.ts';
import { checkImport } from '../../../contract/pedidos/import.ts';
import * as api from '../../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../../contract/settings/settings.ts';
import { dayInMadrid } from '../../../test/day.ts';
import { createWorld, type Person, type World } from '../../../test/world.ts';

/* Effect of a new address on the price of an order. */

let world: World;
let reseller: Person;
let admin: Person;
let pack: string;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  [reseller, admin] = [await world.as('revendedor'), await world.as('superadmin')];
  await admin.call(updateSettings, { body: { shippingPeninsula: 5, shippingBaleares: 5, shippingCanarias: 45 } });
  pack = (await world.pack({ pack_price_cents: 1000 })).id;
});

const MADRID = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_codigo_postal: '28014' };
const order = async (who: Person, fields: object = {}) =>
  (await who.call(api.createPedido, { body: { ...MADRID, pack_id: pack, ...fields } })).body.data.id;
const moveTo = async (id: string, postcode: string, who: Person = reseller) => {
  const { body } = await who.call(api.updatePedido, { params: { id }, body: { ...MADRID, cliente_codigo_postal: postcode } });
  return [body.message.replaceAll('\u00a0', ' '), body.data.envio, body.data.precio_total, body.data.pendiente];
};
const SAVED = 'El pedido se actualizó correctamente';

describe('another zone', () => {
  it('a new zone changes shipping and total of an unpaid order, and the message explains the change', async () => {
    const id = await order(reseller);
    expect(await moveTo(id, '35001')).toEqual([`${SAVED}: el envío a Canarias cuesta 45,00 € y el total es ahora 55,00 €`, 45, 55, 55]);
    expect(await moveTo(id, '28014', admin)).toEqual([
      `${SAVED}: el envío a Península cuesta 5,00 € y el total es ahora 15,00 €`,
      5,
      15,
      15,
    ]);
    const [step] = (await reseller.call(api.getHistorial, { params: { id } })).body.data;
    expect(step?.nota?.replaceAll('\u00a0', ' ')).toBe('el envío a Península cuesta 5,00 € y el total es ahora 15,00 €');
  });

  it('the price stays if the new address has the same zone or the same shipping price', async () => {
    const id = await order(reseller);
    await admin.call(updateSettings, { body: { shippingPeninsula: 7 } });
    expect(await moveTo(id, '45001')).toEqual([SAVED, 5, 15, 15]);
    expect(await moveTo(id, '07001')).toEqual([SAVED, 5, 15, 15]);
  });

  it('shipping set by a superadmin stays in a new zone, and the message states the regular price', async () => {
    const id = await order(admin, { envio: 3, estado: 'pendiente_pago' });
    expect(await moveTo(id, '35001', admin)).toEqual([
      `${SAVED}: el envío a Canarias cuesta 45,00 €, y el pedido sigue con los 3,00 € acordados`,
      ...[3, 13, 13],
    ]);
    const other = await order(reseller);
    const [linea] = ((await admin.call(api.getPedido, { params: { id: other } })).body.data as api.Pedido).lineas ?? [];
    const lineas = [{ numero: linea?.numero ?? 1 }];
    // Forms resend the shipping that they loaded; only a changed amount counts as set by hand.
    await admin.call(api.setLineas, { params: { id: other }, body: { lineas, envio: 5, descuento: 0 } });
    expect((await moveTo(other, '35001'))[1]).toBe(45);
    await admin.call(api.setLineas, { params: { id: other }, body: { lineas, envio: 0 } });
    expect((await moveTo(other, '28014'))[1]).toBe(0);
  });

  it('a new zone changes shipping and total of a pendiente order that is not paid', async () => {
    const id = await order(admin);
    expect(await moveTo(id, '35001', admin)).toEqual([
      `${SAVED}: el envío a Canarias cuesta 45,00 € y el total es ahora 55,00 €`,
      45,
      55,
      55,
    ]);
  });

  it('a new zone changes the price neither of a paid order nor of an order paid beyond the new price', async () => {
    const id = await order(admin);
    const paid = { metodo: 'bizum' as const, importe: 15, fecha: dayInMadrid() };
    await admin.call(anotarPago, { params: { id }, body: paid });
    expect(await moveTo(id, '35001', admin)).toEqual([
      `${SAVED}: el envío a Canarias cuesta 45,00 €, y el pedido, que ya está pagado, sigue con 5,00 €`,
      ...[5, 15, 0],
    ]);
    const part = await order(reseller, { cliente_codigo_postal: '35001' });
    await admin.call(anotarPago, { params: { id: part }, body: { ...paid, importe: 20 } });
    expect((await moveTo(part, '28014')).slice(1)).toEqual([45, 55, 35]);
  });

  it('people who see the price can calculate the effect of an address in a different zone before saving', async () => {
    const id = await order(reseller);
    const asked = (who: Person, postcode: string) =>
      who.call(api.calcularEnvio, { params: { id }, body: { cliente_codigo_postal: postcode } });
    const message = (await asked(reseller, '35001')).body.data.mensaje?.replaceAll('\u00a0', ' ');
    expect(message).toBe('el envío a Canarias cuesta 45,00 € y el total es ahora 55,00 €');
    expect((await asked(reseller, '28001')).body.data.mensaje).toBeNull();
    expect((await reseller.call(api.getPedido, { params: { id } })).body.data).toMatchObject({ precio_total: 15 });
    const [other, carrier] = [await world.as(await world.user({ role: 'revendedor' })), await world.as('transportista')];
    expect([(await asked(other, '35001')).status, (await asked(carrier, '35001')).status]).toEqual([404, 403]);
  });

  it('a copy gets today’s shipping price, unless shipping was set by hand', async () => {
    const id = await order(admin);
    await admin.call(updateSettings, { body: { shippingPeninsula: 7 } });
    expect((await admin.call(api.duplicatePedido, { params: { id } })).body.data.envio).toBe(7);
    const fixed = await order(admin, { envio: 3 });
    expect((await admin.call(api.duplicatePedido, { params: { id: fixed } })).body.data.envio).toBe(3);
  });
});

describe('a country without a tariff', () => {
  const ABROAD = { cliente_codigo_postal: '75001', cliente_pais: 'Francia' };
  const ADMIN_SENTENCE =
    'No hay tarifa de envío a Francia: escribe cuánto cuesta (0, si es gratis) o pon «Envío al resto de países (€)» en Configuración';
  const UNSAID = 'No hay tarifa de envío a Francia y va a 0 €: escríbelo en «Cambiar productos»';
  const create = (who: Person, fields: object = {}) =>
    who.call(api.createPedido, { body: { ...MADRID, ...ABROAD, pack_id: pack, ...fields } });
  const sheet = (who: Person, fields: object = {}) =>
    who.call(checkImport, { body: { filas: [{ ...MADRID, ...ABROAD, pack_id: pack, ...fields }] } });

  it('form and sheet ask for its shipping, which may be 0', async () => {
    const price = (fields: object = {}) => admin.call(api.calcularTotal, { body: { pack_id: pack, ...ABROAD, ...fields } });
    const asked = [await price(), await create(admin, { envio: null })];
    for (const { status, body } of asked) expect([status, body]).toMatchObject([422, { errors: { envio: [ADMIN_SENTENCE] } }]);
    expect((await sheet(admin)).body).toMatchObject({ errors: { 'filas.0.envio': [ADMIN_SENTENCE] } });
    const answers = [await price({ envio: 0 }), await create(admin, { envio: 0 }), await sheet(admin, { envio: 18 })];
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 200]);
  });

  it('a reseller, who cannot set the shipping, is told to ask the shop', async () => {
    const { status, body } = await create(reseller);
    expect([status, body]).toMatchObject([422, { errors: { envio: ['No hay tarifa de envío a Francia: pide a la tienda que la ponga'] } }]);
    expect((await sheet(reseller)).status).toBe(422);
  });

  it('an order of a program without shipping, and its copy, say so in answer and history', async () => {
    const { status, body } = await create(admin);
    expect([status, body.message, body.data.envio]).toEqual([201, `Pedido creado correctamente. ${UNSAID}`, 0]);
    const copy = await admin.call(api.duplicatePedido, { params: { id: body.data.id } });
    expect(copy.body.message).toContain(UNSAID);
    const [step] = (await admin.call(api.getHistorial, { params: { id: body.data.id } })).body.data;
    expect(step?.nota).toBe(UNSAID);
  });

  it('an order that moves abroad keeps its shipping, and says so before and after', async () => {
    const id = await order(reseller);
    const means = 'no hay tarifa de envío a ese país, y el pedido sigue con 5,00\u00a0€';
    expect((await reseller.call(api.calcularEnvio, { params: { id }, body: ABROAD })).body.data.mensaje).toBe(means);
    const { body } = await reseller.call(api.updatePedido, { params: { id }, body: { ...MADRID, ...ABROAD } });
    expect([body.message, body.data.envio]).toEqual([`${SAVED}: ${means}`, 5]);
  });

  it('a tariff for other countries is used by all of them', async () => {
    await admin.call(updateSettings, { body: { shippingAbroad: 25 } });
    expect((await create(reseller)).body.data.envio).toBe(25);
    const id = await order(reseller);
    expect((await reseller.call(api.updatePedido, { params: { id }, body: { ...MADRID, ...ABROAD } })).body.data.envio).toBe(25);
    await admin.call(updateSettings, { body: { shippingAbroad: '' } });
    expect((await create(reseller)).status).toBe(422);
  });
});
