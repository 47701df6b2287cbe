import { beforeEach, describe, expect, test } from 'vitest';
import {
  anularDevolucion,
  createDevolucion,
  listDevoluciones,
  moverDevolucion,
  pedirResto,
  reembolsarDevolucion,
} from '../../contract/devoluciones/devoluciones.ts';
import { anotarPago, anularPago, devolverPago } from '../../contract/payments/payments.ts';
import { deletePedido, restorePedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import * as api from '../../contract/tienda/tienda.ts';
import { shop, there, tiendaForEachTest, world } from '../../test/tienda-world.ts';
import { wooLine, wooOrder } from '../../test/woo.ts';
import { recountAccounts } from '../cuadre/run.ts';
import { onSnapshot } from '../db/open.ts';
import { queueForShops } from './order/send-back.ts';

/* The shop's money is rows that move, fall back and are told once (decision 113). */

tiendaForEachTest();
beforeEach(() => void (minute = 0));

let minute = 0;
/** Sends a later message of the order 7271. */
const says = (fields: Record<string, unknown> = {}) => {
  minute += 1;
  return shop.take(wooOrder({ date_modified_gmt: `2026-11-23T08:${String(minute).padStart(2, '0')}:00`, ...fields }));
};
const back = (...euros: string[]) => euros.map((total, i) => ({ id: i + 1, total: `-${total}` }));
const NOTED = { importe: 5, fecha: '2026-11-20', referencia: 'a cuenta' };
const first = async () => (await shop.orders())[0] ?? {};
const notice = async () => (await shop.waiting())[0]?.aviso ?? '';
const apply = async () => (await shop.admin.call(api.aplicarTienda, { params: { id: (await shop.waiting())[0]?.id ?? '' } })).status;
const params = async () => ({ id: String((await first()).id) });
const payment = async () => (await shop.payments((await first()).id))[0]?.id ?? '';

/** Euros of all orders: received, given back, still to give back and to collect; the recount agrees. */
async function books() {
  const sum = { got: 0, back: 0, owed: 0, due: 0 };
  const gone = await deleted();
  for (const { id } of [...(await shop.orders()), ...gone]) {
    const { pendiente, por_reembolsar, reembolsado } = (await shop.order(id)) as Record<string, number>;
    sum.due += gone.some((order) => order.id === id) ? 0 : (pendiente ?? 0);
    sum.owed += por_reembolsar ?? 0;
    sum.back += reembolsado ?? 0;
    for (const { estado, importe, devuelto } of await shop.payments(id)) {
      if (estado === 'anulado') continue;
      sum.got += importe;
      sum.back += estado === 'devuelto' ? importe : devuelto;
      if (estado === 'devolucion_pendiente') sum.owed += importe - devuelto;
    }
  }
  expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);
  return Object.fromEntries(Object.entries(sum).map(([name, euros]) => [name, Math.round(euros * 100) / 100]));
}
const deleted = () => world.db.selectFrom('pedidos').select('id').where('deleted_at', 'is not', null).execute();

describe('an order that the shop reopens', () => {
  const reopened = async (refunds = back()) => {
    await says({ status: 'cancelled', refunds });
    await says({ refunds });
  };

  test('has the payment of before, less what the shop gave back, and again after a second round', async () => {
    await says();
    await says({ refunds: back('10.00') });
    await reopened(back('10.00'));
    expect(await books()).toEqual({ got: 48.95, back: 10, owed: 0, due: 0 });
    await says({ status: 'cancelled', refunds: back('10.00', '5.00') });
    await says({ refunds: back('10.00', '5.00') });
    expect(await books()).toEqual({ got: 48.95, back: 15, owed: 0, due: 0 });
    expect((await shop.orders()).filter(({ estado }) => estado === 'pendiente')).toHaveLength(1);
  });

  test('is unpaid if the office gave the money back, and says so', async () => {
    await says();
    await says({ status: 'cancelled' });
    await shop.admin.call(devolverPago, { params: { id: await payment() }, body: { nota: 'por transferencia' } });
    await says();
    expect(await books()).toEqual({ got: 48.95, back: 48.95, owed: 0, due: 48.95 });
    expect(await notice()).toMatch(/ya se devolvieron: este pedido está sin cobrar/);
    await says({ customer_note: 'x' });
    expect(await books()).toEqual({ got: 48.95, back: 48.95, owed: 0, due: 48.95 });
  });

  test('takes the money from the order that the office deleted', async () => {
    await says();
    await shop.admin.call(deletePedido, { params: await params() });
    await reopened();
    expect(await books()).toEqual({ got: 48.95, back: 0, owed: 0, due: 0 });
  });

  test('does not bring back a payment that the office annulled', async () => {
    await says();
    await shop.admin.call(anularPago, { params: { id: await payment() }, body: { motivo: 'El banco lo devolvió' } });
    await reopened();
    expect(await books()).toEqual({ got: 0, back: 0, owed: 0, due: 48.95 });
    expect(await notice()).toMatch(/se había anulado: este pedido está sin cobrar/);
  });

  test('leaves the payments that the office noted at the first order', async () => {
    await says({ status: 'on-hold', payment_method: 'bacs' });
    await shop.admin.call(anotarPago, { params: await params(), body: { ...NOTED, metodo: 'bizum' } });
    await says({ status: 'cancelled', payment_method: 'bacs' });
    await says({ payment_method: 'bacs' });
    expect(await books()).toEqual({ got: 53.95, back: 0, owed: 5, due: 0 });
  });

  test('waits if goods of the first order were returned', async () => {
    await says();
    await shop.admin.call(setEstado, { params: await params(), body: { estado: 'completado', metodo_entrega: 'manual' } });
    const lineas = [{ numero: 1, cantidad: 1, destino: 'stock' as const }];
    await shop.admin.call(createDevolucion, { params: await params(), body: { lineas, motivo: 'desistimiento' } });
    await shop.admin.call(deletePedido, { params: await params() });
    await reopened();
    expect(await shop.waiting()).toMatchObject([{ motivo: expect.stringMatching(/tiene devoluciones/) }]);
    expect(await shop.orders()).toEqual([]);
  });

  test('tells that its amount is another one', async () => {
    await says();
    await says({ status: 'cancelled' });
    await says({ total: '92.95', line_items: [wooLine({ quantity: 2, subtotal: '80.00', subtotal_tax: '8.00' })] });
    expect(await books()).toEqual({ got: 48.95, back: 0, owed: 0, due: 44 });
    expect(await notice()).toMatch(/Se habían cobrado 48,95\s€ y ahora en la tienda son 92,95\s€/);
  });
});

describe('what a person applies', () => {
  test('a doubtful payment and its refund are booked together', async () => {
    await says({ status: 'on-hold', payment_method: 'bacs' });
    await shop.admin.call(anotarPago, { params: await params(), body: { ...NOTED, metodo: 'transferencia' } });
    await says({ payment_method: 'bacs' });
    await says({ payment_method: 'bacs', refunds: back('10.00') });
    expect(await apply()).toBe(200);
    expect(await books()).toMatchObject({ got: 53.95, back: 10 });
    await says({ payment_method: 'bacs', refunds: back('10.00'), customer_note: 'x' });
    expect(await books()).toMatchObject({ got: 53.95, back: 10 });
  });

  test('an order cancelled here and paid there is made again with the shop’s refund, and pays once', async () => {
    await says({ status: 'on-hold', payment_method: 'bacs' });
    await shop.move((await first()).id, 'cancelado');
    await says({ payment_method: 'bacs', refunds: back('10.00') });
    expect(await apply()).toBe(200);
    expect(await books()).toEqual({ got: 48.95, back: 10, owed: 0, due: 0 });
    await says({ payment_method: 'bacs', refunds: back('10.00'), customer_note: 'x' });
    expect(await books()).toEqual({ got: 48.95, back: 10, owed: 0, due: 0 });
  });

  test('a payment that the office annulled is booked again, once, if a person applies it', async () => {
    await says();
    await shop.admin.call(anularPago, { params: { id: await payment() }, body: { motivo: 'Por error' } });
    await says({ customer_note: '' });
    expect([await apply(), await apply()]).toEqual([200, 404]);
    expect(await books()).toEqual({ got: 48.95, back: 0, owed: 0, due: 0 });
  });
});

describe('refunds of the shop', () => {
  const delivered = async () => {
    await says();
    await shop.admin.call(setEstado, { params: await params(), body: { estado: 'completado', metodo_entrega: 'manual' } });
  };
  const returned = async () => {
    const lineas = [{ numero: 1, cantidad: 1, destino: 'stock' as const }];
    const { body } = await shop.admin.call(createDevolucion, { params: await params(), body: { lineas, motivo: 'desistimiento' } });
    return body.data.id;
  };
  const annul = async (id: string) => (await shop.admin.call(anularDevolucion, { params: { id }, body: { motivo: 'Por error' } })).status;

  test.each([
    ['whole', ['44.00']],
    ['in two parts', ['20.00', '24.00']],
    ['a part', ['20.00']],
  ])('stay made when the return is annulled at which they were noted: %s', async (_, parts) => {
    await delivered();
    const id = await returned();
    for (const i of parts.keys()) await says({ status: 'completed', refunds: back(...parts.slice(0, i + 1)) });
    const refunded = parts.reduce((sum, euros) => sum + Number(euros), 0);
    expect(await books()).toMatchObject({ back: refunded });
    expect(await annul(id)).toBe(200);
    expect(await books()).toEqual({ got: 48.95, back: refunded, owed: 0, due: 0 });
    await says({ status: 'completed', refunds: back(...parts), customer_note: 'x' });
    expect(await books()).toEqual({ got: 48.95, back: refunded, owed: 0, due: 0 });
    await returned();
    expect(await books()).toMatchObject({ got: 48.95, back: refunded, due: 0 });
  });

  test('of a return that was annulled before are a discount', async () => {
    await delivered();
    expect(await annul(await returned())).toBe(200);
    await says({ status: 'completed', refunds: back('44.00') });
    expect(await books()).toEqual({ got: 48.95, back: 44, owed: 0, due: 0 });
  });

  test('of a deleted order are not due again once it is restored', async () => {
    await delivered();
    await shop.admin.call(deletePedido, { params: await params() });
    const [gone] = await deleted();
    await says({ status: 'completed', refunds: back('10.00') });
    expect(await books()).toMatchObject({ got: 48.95, back: 10, owed: 38.95 });
    await shop.admin.call(restorePedido, { params: { id: gone?.id ?? '' } });
    expect(await books()).toEqual({ got: 48.95, back: 10, owed: 0, due: 0 });
  });

  test('are rows with the shop’s ids, each once', async () => {
    await delivered();
    for (const refunds of [back('10.00'), back('10.00', '5.00'), back('10.00', '5.00')])
      await says({ status: 'completed', refunds, customer_note: `${refunds.length}` });
    expect(await notice()).not.toMatch(/ 0,00/);
    const rows = world.db.selectFrom('reembolsos').select(['externo_id', 'importe_cents']).orderBy('externo_id');
    expect(await rows.execute()).toEqual([
      { externo_id: '1', importe_cents: 1000 },
      { externo_id: '2', importe_cents: 500 },
    ]);
  });

  test('whole, without an amount, owe nothing a second time', async () => {
    await says();
    await says({ status: 'refunded', refunds: [] });
    expect(await books()).toEqual({ got: 48.95, back: 48.95, owed: 0, due: 0 });
    await says({ status: 'refunded', refunds: back('48.95') });
    expect(await books()).toEqual({ got: 48.95, back: 48.95, owed: 0, due: 0 });
  });

  test.each([
    ['as much as the office noted', '48.95', 48.95],
    ['less than the office noted', '10.00', 48.95],
  ])('that the office noted first count once: %s', async (_, euros, refunded) => {
    await says();
    await shop.move((await first()).id, 'cancelado');
    await shop.admin.call(devolverPago, { params: { id: await payment() }, body: { nota: null } });
    await says({ status: 'cancelled', refunds: back(euros) });
    expect(await books()).toEqual({ got: 48.95, back: refunded, owed: 0, due: 0 });
  });

  test.each([
    ['all of it', '44.00', { back: 44, owed: 4.95 }],
    ['a part of it', '20.00', { back: 44, owed: 4.95 }],
    ['more than was paid', '49.00', { back: 48.95, owed: 0 }],
  ])('that the office noted at a return count once: %s', async (_, euros, sums) => {
    await delivered();
    const id = await returned();
    const reembolso = { reembolso: 44, referencia: 'en mano' };
    expect((await shop.admin.call(reembolsarDevolucion, { params: { id }, body: reembolso })).status).toBe(200);
    for (const customer_note of ['', 'x']) await says({ status: 'completed', refunds: back(euros), customer_note });
    expect(await books()).toEqual({ got: 48.95, due: 0, ...sums });
  });
});

test('a refund of the shop of money that went on to another order is told, and lowers nothing', async () => {
  await says();
  await shop.admin.call(setEstado, { params: await params(), body: { estado: 'completado', metodo_entrega: 'manual' } });
  const lineas = [{ numero: 1, cantidad: 1, destino: 'stock' as const }];
  const { body } = await shop.admin.call(createDevolucion, { params: await params(), body: { lineas, motivo: 'desistimiento' } });
  const { numero_orden } = await world.pedido({ estado: 'pendiente_pago', precio_total_cents: 4895 });
  expect((await shop.admin.call(moverDevolucion, { params: { id: body.data.id }, body: { numero_orden } })).status).toBe(200);
  await says({ status: 'completed', refunds: back('20.00') });
  expect(await books()).toMatchObject({ owed: 0, due: 0 });
  expect(await notice()).toMatch(/ha devuelto 20,00.*ya estaban anotados/);
});

describe('what the shop is told of money', () => {
  const two = { total: '92.95', line_items: [wooLine({ quantity: 2, subtotal: '80.00', subtotal_tax: '8.00' })] };
  test('money that pays a second order is no refund, and is one once the second order gives it back', async () => {
    await shop.settings({ partialDeliveries: true });
    await shop.withKeys(there.url);
    there.put(wooOrder(two));
    await says(two);
    const no_entregado = [{ numero: 1, cantidad: 1, motivo: 'falta' as const }];
    await shop.move((await first()).id, 'completado', { metodo_entrega: 'manual', no_entregado });
    const [devolucion] = (await shop.admin.call(listDevoluciones, { params: await params() })).body.data;
    expect((await shop.admin.call(pedirResto, { params: { id: devolucion?.id ?? '' } })).status).toBe(201);
    await queueForShops(world.db, world.config);
    expect(there.orders.get(7271)?.refunds).toEqual([]);
    const rest = (await shop.orders()).find(({ precio_total }) => precio_total === 44);
    await shop.move(rest?.id, 'cancelado');
    const [moved] = await shop.payments(rest?.id);
    await shop.admin.call(devolverPago, { params: { id: moved?.id ?? '' }, body: { nota: null } });
    for (const _ of [1, 2]) await queueForShops(world.db, world.config);
    expect(there.orders.get(7271)?.refunds).toMatchObject([{ total: '-44.00' }]);
  });

  test('a refund made here has the shop’s id, and the shop’s message about it changes nothing', async () => {
    await shop.withKeys(there.url);
    there.put(wooOrder());
    await says();
    await shop.move((await first()).id, 'cancelado');
    await shop.admin.call(devolverPago, { params: { id: await payment() }, body: { nota: null } });
    await queueForShops(world.db, world.config);
    const rows = () => world.db.selectFrom('reembolsos').select(['externo_id', 'importe_cents']).execute();
    expect(await rows()).toEqual([{ externo_id: '900', importe_cents: 4895 }]);
    await says({ status: 'refunded', refunds: [{ id: 900, total: '-48.95' }] });
    expect([await rows(), (await books()).back]).toEqual([[{ externo_id: '900', importe_cents: 4895 }], 48.95]);
  });

  test('what the shop refuses is shown at the order, and not sent again', async () => {
    await shop.withKeys(there.url);
    there.put(wooOrder());
    there.refuses('El importe no es válido');
    await says();
    await shop.move((await first()).id, 'cancelado');
    await shop.admin.call(devolverPago, { params: { id: await payment() }, body: { nota: null } });
    for (const _ of [1, 2]) await queueForShops(world.db, world.config);
    expect(await notice()).toMatch(/no ha anotado el reembolso de 48,95 €: El importe no es válido/);
    expect(there.calls.filter(({ path, method }) => method === 'POST' && path.endsWith('/refunds'))).toHaveLength(1);
  });
});
