import { describe, expect, test } from 'vitest';
import { createDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { anularPago } from '../../contract/payments/payments.ts';
import { setEstado, setLineas } from '../../contract/pedidos/pedidos.ts';
import * as api from '../../contract/tienda/tienda.ts';
import { shop, tiendaForEachTest, world } from '../../test/tienda-world.ts';
import { wooLine, wooOrder } from '../../test/woo.ts';
import { recountAccounts } from '../cuadre/run.ts';
import { onSnapshot } from '../db/open.ts';
import { tendUnpaid } from '../pedidos/pasos/unpaid.job.ts';

tiendaForEachTest();

const at = (minute: number) => ({ date_modified_gmt: `2026-11-23T08:${String(minute).padStart(2, '0')}:00` });
const agrees = () => onSnapshot(world.db, (tx) => recountAccounts(tx));
const first = async () => (await shop.orders())[0] ?? {};

describe('money of a shop’s order', () => {
  test('a later message of the shop does not pay what the office has added', async () => {
    await shop.take(wooOrder());
    const { id, version } = await first();
    const extra = await world.pack({ pack_price_cents: 1250 });
    const lineas = [
      { numero: 1, cantidad: 1 },
      { pack_id: extra.id, cantidad: 1 },
    ];
    await shop.admin.call(setLineas, { params: { id: String(id) }, body: { lineas, version } as never });
    await shop.take(wooOrder({ ...at(1), customer_note: 'otra nota' }));
    expect(await shop.order(id)).toMatchObject({ pagado: 48.95, pendiente: 12.5 });
  });

  test('a payment that the office annulled is shown and not repeated by a later message', async () => {
    await shop.take(wooOrder());
    const { id } = await first();
    const [payment] = await shop.payments(id);
    await shop.admin.call(anularPago, { params: { id: payment?.id ?? '' }, body: { motivo: 'El banco lo devolvió' } });
    await shop.take(wooOrder({ ...at(1), meta_data: [{ key: '_x', value: '1' }] }));
    expect(await shop.order(id)).toMatchObject({ pagado: 0 });
    expect(await shop.waiting()).toMatchObject([{ aviso: 'En la tienda ha cambiado el pago', cambios: [{ parte: 'pago' }] }]);
    const [row] = await shop.waiting();
    await shop.admin.call(api.descartarTienda, { params: { id: row?.id ?? '' } });
    await shop.take(wooOrder(at(2)));
    expect(await shop.waiting()).toEqual([]);
  });

  test('the payment has the day on which the shop was paid', async () => {
    await shop.take(wooOrder({ date_paid_gmt: '2026-11-03T23:30:00' }));
    expect(await shop.payments((await first()).id)).toMatchObject([{ fecha: '2026-11-04', importe: 48.95 }]);
  });

  test('a refund of the shop settles the refund due for returned goods, and only the excess is a discount', async () => {
    await shop.take(wooOrder({ line_items: [wooLine({ quantity: 2, subtotal: '80.00', subtotal_tax: '8.00' })], total: '92.95' }));
    const { id } = await first();
    const params = { id: String(id) };
    await shop.admin.call(setEstado, { params, body: { estado: 'completado', metodo_entrega: 'manual' } });
    const lineas = [{ numero: 1, cantidad: 1, destino: 'stock' as const }];
    expect((await shop.admin.call(createDevolucion, { params, body: { lineas, motivo: 'desistimiento' } })).status).toBe(201);
    expect(await shop.order(id)).toMatchObject({ por_reembolsar: 44 });
    const back = (cents: number) => [{ id: 1, total: `-${cents}.00` }];
    await shop.take(wooOrder({ ...at(1), status: 'completed', total: '92.95', refunds: back(44) }));
    expect(await shop.order(id)).toMatchObject({ por_reembolsar: 0, reembolsado: 44, precio_total: 92.95, pagado: 92.95 });
    expect((await shop.waiting())[0]?.aviso).toContain('devuelto 44,00\u00a0€, que estaban pendientes de reembolsar');
    await shop.take(wooOrder({ ...at(2), status: 'completed', total: '92.95', refunds: back(49) }));
    expect(await shop.order(id)).toMatchObject({ por_reembolsar: 0, reembolsado: 44, precio_total: 87.95, pagado: 87.95, pendiente: 0 });
    expect(await agrees()).toEqual([]);
  });

  test('a refund of the shop for a product that the office took out is not owed a second time', async () => {
    await shop.take(wooOrder({ line_items: [wooLine({ quantity: 2, subtotal: '80.00', subtotal_tax: '8.00' })], total: '92.95' }));
    const { id, version } = await first();
    await shop.admin.call(setLineas, { params: { id: String(id) }, body: { lineas: [{ numero: 1, cantidad: 1 }], version } as never });
    expect(await shop.order(id)).toMatchObject({ por_reembolsar: 44 });
    await shop.take(wooOrder({ ...at(1), total: '92.95', refunds: [{ id: 1, total: '-44.00' }] }));
    expect(await shop.order(id)).toMatchObject({ por_reembolsar: 0, precio_total: 48.95, pagado: 48.95, pendiente: 0 });
    expect(await agrees()).toEqual([]);
  });

  test('an order refunded whole in the shop is cancelled and owes nothing', async () => {
    await shop.take(wooOrder());
    await shop.take(wooOrder({ ...at(1), status: 'refunded', refunds: [{ id: 1, total: '-48.95' }] }));
    const { id, estado } = await first();
    expect(estado).toBe('cancelado');
    expect(await shop.payments(id)).toMatchObject([{ estado: 'devuelto' }]);
  });

  test('a partial refund in the shop lowers the order once, and is shown with its amount', async () => {
    await shop.take(wooOrder());
    for (const minute of [1, 2]) await shop.take(wooOrder({ ...at(minute), refunds: [{ id: 1, total: '-8.95' }] }));
    expect(await first()).toMatchObject({ estado: 'pendiente', precio_total: 40, pagado: 40, pendiente: 0, por_reembolsar: 0 });
    expect(await shop.waiting()).toMatchObject([{ aviso: expect.stringMatching(/^La tienda ha devuelto 8,95/) }]);
  });

  test('a second partial refund in the shop lowers the order only by the difference', async () => {
    await shop.take(wooOrder());
    const refunds = [
      { id: 1, total: '-8.95' },
      { id: 2, total: '-10.00' },
    ];
    for (const many of [1, 2]) await shop.take(wooOrder({ ...at(many), refunds: refunds.slice(0, many) }));
    expect(await first()).toMatchObject({ estado: 'pendiente', precio_total: 30, pagado: 30, pendiente: 0, por_reembolsar: 0 });
  });

  test('a partial refund after the delivery leaves nothing to collect', async () => {
    await shop.take(wooOrder());
    await shop.move((await first()).id, 'completado', { metodo_entrega: 'manual' });
    await shop.take(wooOrder({ ...at(1), status: 'completed', refunds: [{ id: 1, total: '-8.95' }] }));
    expect(await first()).toMatchObject({ estado: 'completado', precio_total: 40, pagado: 40, pendiente: 0 });
  });

  test('a payment that the office has already noted is not booked twice, but waits for a decision', async () => {
    await shop.take(wooOrder({ status: 'on-hold', payment_method: 'bacs' }));
    const { id } = await first();
    await shop.move(id, 'pendiente', { referencia: 'extracto' }).catch(() => undefined);
    await shop.admin.request('POST', `/api/pedidos/${id}/estado`, { body: { estado: 'pendiente', referencia: 'extracto' } });
    await shop.take(wooOrder({ ...at(1), payment_method: 'bacs' }));
    expect(await shop.order(id)).toMatchObject({ pagado: 48.95 });
    expect(await shop.waiting()).toMatchObject([{ cambios: [{ parte: 'pago' }] }]);
  });
});

describe('life of a shop’s order', () => {
  test.each([
    ['a late transfer', ['on-hold', 'cancelled', 'processing'], 2],
    ['a second try of the card', ['processing', 'failed', 'processing'], 1],
    ['an order restored from the bin', ['processing', 'trash', 'processing'], 2],
  ])('an order that the shop reopens is paid and not cancelled: %s', async (_, states, n) => {
    for (const [minute, status] of states.entries()) await shop.take(wooOrder({ ...at(minute), status, payment_method: 'bacs' }));
    const found = await shop.orders();
    expect(found).toHaveLength(n);
    expect(found.filter(({ estado }) => estado !== 'cancelado')).toMatchObject([{ estado: 'pendiente', pagado: 48.95 }]);
  });

  test('a reopened order that cannot be created waits, and is created once its product is active', async () => {
    for (const [minute, status] of ['on-hold', 'cancelled'].entries())
      await shop.take(wooOrder({ ...at(minute), status, payment_method: 'bacs' }));
    await world.db.updateTable('products').set({ is_active: false }).execute();
    await shop.take(wooOrder({ ...at(5), payment_method: 'bacs' }));
    expect(await shop.waiting()).toMatchObject([{ estado: 'por_revisar', cliente: 'Mateo Ruiz' }]);
    await world.db.updateTable('products').set({ is_active: true }).execute();
    await shop.admin.call(api.reintentarTienda, { params: { id: (await shop.waiting())[0]?.id ?? '' } });
    await shop.read();
    expect(await shop.orders()).toContainEqual(expect.objectContaining({ estado: 'pendiente', pagado: 48.95 }));
  });

  test('a payment in the shop for an order that the office cancelled waits for a decision', async () => {
    await shop.take(wooOrder({ status: 'on-hold', payment_method: 'bacs' }));
    await shop.move((await first()).id, 'cancelado');
    await shop.take(wooOrder({ ...at(1), payment_method: 'bacs' }));
    expect(await shop.orders()).toHaveLength(1);
    const [row] = await shop.waiting();
    expect(row).toMatchObject({ cambios: [{ parte: 'estado' }], aplicable: true });
    expect((await shop.admin.call(api.aplicarTienda, { params: { id: row?.id ?? '' } })).status).toBe(200);
    expect(await shop.orders()).toContainEqual(expect.objectContaining({ estado: 'pendiente', pagado: 48.95 }));
  });

  test('a message that an order is deleted changes nothing without keys to ask, and waits with its reason', async () => {
    await shop.take(wooOrder());
    for (const topic of ['order.deleted', 'order.updated', 'product.deleted'])
      await shop.take({ id: 7271 }, { 'x-wc-webhook-topic': topic });
    expect(await first()).toMatchObject({ estado: 'pendiente', pagado: 48.95 });
    expect(await shop.waiting()).toMatchObject([{ aviso: expect.stringMatching(/^La tienda dice que lo ha borrado, y sin sus claves/) }]);
    await shop.admin.call(api.descartarTienda, { params: { id: (await shop.waiting())[0]?.id ?? '' } });
    expect(await shop.waiting()).toEqual([]);
  });

  test('a deletion does not overwrite an order that waits', async () => {
    await shop.take(wooOrder({ line_items: [wooLine({ sku: 'NUEZ' })] }));
    await shop.take({ id: 7271 }, { 'x-wc-webhook-topic': 'order.deleted' });
    expect(await shop.waiting()).toMatchObject([
      { motivo: expect.stringMatching(/^La tienda dice que lo ha borrado/), lineas: [{ clave: 'NUEZ' }] },
    ]);
  });

  test.each([
    ['paid and pending', ['processing', 'pending'], 'pendiente'],
    ['pending and paid', ['pending', 'processing'], 'pendiente'],
    ['cancelled and paid', ['cancelled', 'processing'], undefined],
    ['paid and cancelled', ['processing', 'cancelled'], 'cancelado'],
  ])('of two messages of the same second, the later state counts: %s', async (_, states, estado) => {
    for (const status of states) await shop.take(wooOrder({ ...at(1), status }));
    expect((await first()).estado).toBe(estado);
  });

  test('the job for unpaid orders does not cancel orders of a shop', async () => {
    await shop.take(wooOrder({ status: 'on-hold', payment_method: 'bacs' }));
    await world.db.updateTable('pedidos').set({ created_at: '2026-01-01T00:00:00Z' }).execute();
    await tendUnpaid(world.db);
    expect(await first()).toMatchObject({ estado: 'pendiente_pago' });
  });
});

describe('changes of a shop’s order', () => {
  const elsewhere = { ...wooOrder().shipping, address_1: 'Calle Nueva 3' };
  const two = [wooLine({ quantity: 2, subtotal: '80.00', subtotal_tax: '8.00' })];
  test('every change is shown with its old and its new value, and all are applied', async () => {
    await shop.take(wooOrder());
    await shop.take(wooOrder({ ...at(1), shipping: elsewhere }));
    await shop.take(wooOrder({ ...at(2), shipping: elsewhere, line_items: two, total: '92.95' }));
    const [row] = await shop.waiting();
    expect(row?.cambios.map(({ parte }) => parte)).toEqual(['direccion', 'productos', 'importe']);
    expect(row?.cambios[0]).toMatchObject({
      antes: expect.stringContaining('Calle Destino 9'),
      ahora: expect.stringContaining('Calle Nueva 3'),
    });
    expect((await shop.admin.call(api.aplicarTienda, { params: { id: row?.id ?? '' } })).status).toBe(200);
    expect(await first()).toMatchObject({
      cliente_direccion: 'Calle Nueva 3',
      cantidad: 2,
      precio_total: 92.95,
      pagado: 48.95,
      pendiente: 44,
    });
    expect(await shop.waiting()).toEqual([]);
  });

  test('a change is not applied once the order has left', async () => {
    await shop.take(wooOrder());
    await shop.move((await first()).id, 'en_ruta');
    await shop.take(wooOrder({ ...at(1), shipping: elsewhere }));
    const [row] = await shop.waiting();
    expect(row?.aplicable).toBe(false);
    expect((await shop.admin.call(api.aplicarTienda, { params: { id: row?.id ?? '' } })).status).toBe(409);
  });

  test('a change that the shop takes back is no longer shown', async () => {
    await shop.take(wooOrder());
    await shop.take(wooOrder({ ...at(1), shipping: elsewhere }));
    await shop.take(wooOrder(at(2)));
    expect(await shop.waiting()).toEqual([]);
  });
});
