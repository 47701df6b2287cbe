import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anotarPago, listPagos } from '../../../contract/payments/payments.ts';
import { importPedidos } from '../../../contract/pedidos/import.ts';
import { lotePedidos } from '../../../contract/pedidos/lote.ts';
import * as api from '../../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../../contract/settings/settings.ts';
import { updateUser } from '../../../contract/users/users.ts';
import { dayInMadrid } from '../../../test/day.ts';
import { createWorld, type Person, type World } from '../../../test/world.ts';

/* The legal cash limit applies to all orders of a customer on one day (decision 092). */

let world: World;
let admin: Person;
let pack_id: string;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  await admin.call(updateSettings, { body: { cashOnDelivery: true, shippingBaleares: 50 } });
  pack_id = (await world.pack({ pack_price_cents: 96_657 })).id;
});

const ANA = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_telefono: '600000001', cliente_codigo_postal: '28001' };
const LAW = /^Con ORD-\d+, del mismo cliente y el mismo día, suma 1\.933,14\s€: desde 1\.000\s€ no se puede cobrar nada en efectivo/;
const make = (fields: object = {}, who: Person = admin) =>
  who.call(api.createPedido, { body: { ...ANA, pack_id, cantidad: 1, contra_reembolso: true, ...fields } });
const made = async (fields: object = {}) => {
  const { status, body } = await make(fields);
  expect(status, body.message).toBe(201);
  return body.data;
};
const separate = (id: string, who: Person = admin) =>
  who.call(api.separarVenta, { params: { id }, body: { motivo: 'Dos encargos de dos casas' } });
const cash = (id: string, importe = 100) =>
  admin.call(anotarPago, { params: { id }, body: { metodo: 'efectivo', importe, fecha: dayInMadrid() } });

describe('two orders of one customer on one day', () => {
  it('orders on delivery of one customer and day cannot reach 1.000 € together, unless declared separate sales', async () => {
    const first = await made();
    const second = await make();
    expect([second.status, second.body.message]).toEqual([422, expect.stringMatching(LAW)]);
    expect(second.body).toMatchObject({ code: 'mismo_dia' });
    expect(second.body.message).toContain(first.numero_orden);
    const reseller = await world.as('revendedor');
    expect((await separate(first.id, reseller)).status).toBe(403);
    expect((await separate(first.id)).status).toBe(200);
    expect((await separate(first.id)).status).toBe(409);
    expect((await make()).status).toBe(201);
    const { data } = (await admin.call(api.getHistorial, { params: { id: first.id } })).body;
    expect(data[0]).toMatchObject({ accion: 'Es otra venta', nota: 'Dos encargos de dos casas' });
  });

  it('concurrent orders on delivery of one customer cannot reach the cash limit together', async () => {
    const statuses = (await Promise.all([make(), make()])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 422]);
  });

  it('orders of one customer on one day count together, except cancelled and deleted orders', async () => {
    const prepaid = await made({ contra_reembolso: false });
    expect((await make()).status).toBe(422);
    await admin.call(api.setEstado, { params: { id: prepaid.id }, body: { estado: 'cancelado', motivo: 'Era prueba' } });
    const { id } = await made();
    await admin.call(api.deletePedido, { params: { id } });
    await made();
    const restored = await admin.call(api.restorePedido, { params: { id } });
    expect([restored.status, restored.body.message]).toEqual([422, expect.stringMatching(LAW)]);
  });

  it('separating a sale is offered only for orders for which the separation has an effect', async () => {
    const joint = async (id: string) => (await admin.call(listPagos, { params: { id } })).body.venta_conjunta;
    const first = await made({ contra_reembolso: false });
    // A second order on delivery, created today, would count together with the first.
    expect(await joint(first.id)).toBe(true);
    await admin.call(updateSettings, { body: { cashOnDelivery: false } });
    expect(await joint(first.id)).toBe(false);
    const second = await made({ contra_reembolso: false });
    expect([await joint(first.id), await joint(second.id)]).toEqual([true, true]);
    const other = await made({ contra_reembolso: false, cliente_telefono: '600000002', cliente_nombre: 'Eva' });
    expect(await joint(other.id)).toBe(false);
    await separate(second.id);
    expect([await joint(first.id), await joint(second.id)]).toEqual([false, false]);
    await admin.call(updateSettings, { body: { cashOnDelivery: true } });
    await world.db.updateTable('pedidos').set({ fecha_pedido: '2026-01-02T10:00:00Z' }).where('id', '=', first.id).execute();
    expect(await joint(first.id)).toBe(false);
  });

  it('orders of two customers, or of two days, count separately', async () => {
    const first = await made();
    expect((await make({ cliente_telefono: '600000002', cliente_nombre: 'Eva' })).status).toBe(201);
    await world.db.updateTable('pedidos').set({ fecha_pedido: '2026-01-02T10:00:00Z' }).where('id', '=', first.id).execute();
    expect((await make()).status).toBe(201);
  });

  it('the cash limit of a day’s sale applies to edited, imported and duplicated orders too', async () => {
    await made();
    const other = await made({ cliente_telefono: '600000002', cliente_nombre: 'Eva' });
    const edited = await admin.call(api.updatePedido, { params: { id: other.id }, body: { ...ANA, cliente_direccion: 'Calle 2' } });
    expect(edited.status).toBe(422);
    const { id: small } = await world.pack({ pack_price_cents: 100 });
    const little = await made({ pack_id: small });
    const lines = await admin.call(api.setLineas, { params: { id: little.id }, body: { lineas: [{ pack_id: small, cantidad: 40 }] } });
    expect(lines.status).toBe(422);
    const imported = await admin.call(importPedidos, { body: { filas: [{ ...ANA, pack_id, cantidad: 1, contra_reembolso: true }] } });
    expect([imported.status, Object.keys((imported.body as unknown as { errors: object }).errors)]).toEqual([
      422,
      ['filas.0.contra_reembolso'],
    ]);
    expect((await admin.call(api.duplicatePedido, { params: { id: other.id } })).status).toBe(422);
  });

  it('the cash limit of a day’s sale applies to resellers too, with the same message', async () => {
    const reseller = await world.as('revendedor');
    await admin.call(updateUser, {
      params: { id: reseller.user.id },
      body: { full_name: 'Rosa', email: reseller.user.email, is_active: true, contra_reembolso: true },
    });
    expect((await make({}, reseller)).status).toBe(201);
    const { status, body } = await make({}, reseller);
    expect([status, body.message]).toEqual([422, expect.stringMatching(LAW)]);
  });
});

describe('a payment noted in cash', () => {
  it('a payment in cash is refused, also in a batch, if the day’s sale reaches 1.000 €', async () => {
    const [first, second] = [await made({ contra_reembolso: false }), await made({ contra_reembolso: false })];
    const noted = await cash(first.id);
    expect([noted.status, noted.body.message]).toEqual([422, expect.stringMatching(LAW)]);
    const bulk = await admin.call(lotePedidos, {
      body: { pedidos: { ids: [first.id, second.id] }, accion: { tipo: 'pagar', metodo: 'efectivo' } },
    });
    expect(bulk.body.data?.map(({ ok }) => ok)).toEqual([false, false]);
    await separate(second.id);
    expect((await cash(first.id)).status).toBe(201);
  });

  it('a new address cannot raise an order partly paid in cash to the legal limit', async () => {
    const order = await made({ contra_reembolso: false, cantidad: 1 });
    expect((await cash(order.id)).status).toBe(201);
    const islands = { cliente_codigo_postal: '07001', cliente_provincia: 'Illes Balears' };
    const moved = await admin.request('PATCH', `/api/pedidos/${order.id}`, { body: islands });
    expect([moved.status, JSON.parse(moved.text).message]).toEqual([422, expect.stringMatching(/^De una venta de 1\.000/)]);
    expect((await admin.call(api.getPedido, { params: { id: order.id } })).body.data).toMatchObject({ cliente_codigo_postal: '28001' });
  });
});
