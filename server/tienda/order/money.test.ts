import { beforeEach, describe, expect, test } from 'vitest';
import { anularPago } from '../../../contract/payments/payments.ts';
import { shop, tiendaForEachTest, world } from '../../../test/tienda-world.ts';
import { wooOrder } from '../../../test/woo.ts';
import type { WebOrder } from '../reading/order.ts';
import { readWoo } from '../reading/woo/read.ts';

/* Which payment of the shop is booked or asked about, and how its refunds are told. */

tiendaForEachTest();

let own: string;
beforeEach(async () => {
  const row = { conector: 'woo', nombre: 'Propia' };
  own = (await world.db.insertInto('tiendas').values(row).returning('id').executeTakeFirstOrThrow()).id;
});
const content = (fields: object, more: object = {}): WebOrder => ({
  ...(readWoo(wooOrder(fields as Record<string, unknown>)) as WebOrder),
  ...more,
});
const valuesOf = (order: WebOrder) => ({
  situacion: order.situacion ?? null,
  contenido: JSON.stringify(order),
  estado: 'recibido' as const,
});
const made = async (fields: object = {}) => {
  const row = { tienda_id: own, externo_id: '7271', numero: 'W-1', modificado_at: '2026-11-20T10:00:00Z' };
  await world.db
    .insertInto('tienda_pedidos')
    .values({ ...row, ...valuesOf(content(fields)) })
    .execute();
  await shop.read();
};
const later = async (fields: object, more: object = {}) => {
  await world.db
    .updateTable('tienda_pedidos')
    .set({ ...valuesOf(content(fields, more)), aviso: null })
    .execute();
  await shop.read();
};
const rowOf = () => world.db.selectFrom('tienda_pedidos').select(['estado', 'cambios', 'aviso', 'pedido_id']).executeTakeFirstOrThrow();
const move = async (estado: string, more = {}) => shop.move((await rowOf()).pedido_id, estado, more);
/** Delivers the order, whose payment the office noted and then annulled. */
async function deliver() {
  const { pedido_id } = await rowOf();
  await move('pendiente', { referencia: 'extracto' });
  await move('completado', { metodo_entrega: 'manual' });
  for (const { id } of await shop.payments(pedido_id)) await shop.admin.call(anularPago, { params: { id }, body: { motivo: 'Por error' } });
}
const paid = async () =>
  (await world.db.selectFrom('pagos').select('importe_cents').where('tienda_pedido_id', 'is not', null).execute()).map(
    ({ importe_cents }) => importe_cents,
  );
const aviso = async () => (await rowOf()).aviso?.replaceAll('\u00a0', ' ') ?? null;

const UNPAID = { status: 'on-hold', payment_method: 'bacs' };
describe('a payment of the shop', () => {
  test.each<[string, object, string | undefined, object, number[], string[]]>([
    ['of an order that waits for it is booked', UNPAID, undefined, { payment_method: 'bacs' }, [4895], []],
    ['of a finished order is booked', UNPAID, undefined, { status: 'completed', payment_method: 'bacs' }, [4895], []],
    [
      'of an order that both have finished is asked about',
      UNPAID,
      'completado',
      { status: 'completed', payment_method: 'bacs' },
      [],
      ['pago'],
    ],
    ['of an order that is delivered here is booked', UNPAID, 'completado', { payment_method: 'bacs' }, [4895], []],
    ['by an unknown way is asked about', UNPAID, undefined, { payment_method: 'x' }, [], ['pago']],
    ['of an order that is cancelled here is asked about', UNPAID, 'cancelado', { payment_method: 'bacs' }, [], ['estado']],
    ['is booked once', {}, undefined, { customer_note: '' }, [4895], []],
    ['that has not come is not booked', UNPAID, undefined, UNPAID, [], []],
  ])('%s', async (_, first, estado, next, payments, cambios) => {
    await made(first);
    if (estado === 'completado') await deliver();
    else if (estado) await move(estado);
    await later(next);
    expect([await paid(), (await rowOf()).cambios]).toEqual([payments, cambios]);
  });

  test('of nothing is none', async () => {
    await made({ discount_total: '44.50', discount_tax: '4.45', total: '0' });
    expect([await rowOf(), await paid(), await shop.orders()]).toMatchObject([{ estado: 'creado' }, [], [{ precio_total: 0 }]]);
  });

  test('of a cent is one', async () => {
    await made({ discount_total: '44.49', discount_tax: '4.45', total: '0.01' });
    expect(await paid()).toEqual([1]);
  });
});

describe('a refund of the shop', () => {
  const back = (...euros: string[]) => ({ refunds: euros.map((total, i) => ({ id: i + 1, total: `-${total}` })) });
  const goods = (...all: [cents: number, de: string][]) => ({ devoluciones: all.map(([cents, de]) => ({ cents, de })) });
  const CUT = 'que se han descontado del pedido';
  test.each<[string, string, object, string]>([
    ['without goods', '5.00', {}, `La tienda ha devuelto 5,00 €, ${CUT}: si es por un producto, quítalo o anota su devolución`],
    [
      'for the newest goods',
      '5.00',
      goods([500, '1 × A'], [1000, '1 × B']),
      `La tienda ha devuelto 5,00 € por 1 × A, ${CUT}: quítalo o anota su devolución`,
    ],
    [
      'for two goods',
      '5.01',
      goods([500, '1 × A'], [1000, '1 × B']),
      `La tienda ha devuelto 5,01 € por 1 × A, 1 × B, ${CUT}: quítalo o anota su devolución`,
    ],
    [
      'for goods without a name',
      '5.01',
      goods([500, ''], [1000, '1 × B']),
      `La tienda ha devuelto 5,01 € por 1 × B, ${CUT}: quítalo o anota su devolución`,
    ],
  ])('is told %s', async (_, euros, more, sentence) => {
    await made();
    await later(back(euros), more);
    expect([await aviso(), await shop.orders()]).toMatchObject([
      sentence,
      [{ precio_total: Math.round((48.95 - Number(euros)) * 100) / 100 }],
    ]);
  });

  test('of a booked payment does not wait with what is asked of an order that the shop has recovered', async () => {
    await made();
    await move('cancelado');
    await world.db.updateTable('tienda_pedidos').set({ pregunta: 'recuperado' }).execute();
    await later(back('5.00'));
    const refunds = await world.db.selectFrom('reembolsos').select('importe_cents').execute();
    expect([(await rowOf()).cambios, refunds]).toEqual([['estado'], [{ importe_cents: 500 }]]);
  });

  test('of money that was never here is told as such', async () => {
    await made(UNPAID);
    await later({ ...UNPAID, ...back('5.00') });
    expect(await aviso()).toBe('La tienda ha devuelto 5,00 €, que aquí no estaban cobrados o ya estaban anotados');
    expect(await shop.orders()).toMatchObject([{ precio_total: 48.95 }]);
  });

  test.each<[string, object]>([
    ['whole, with its amount', back('48.95')],
    ['whole, without its amount', {}],
  ])('that ends an order is not told by itself: %s', async (_, fields) => {
    await made();
    await later({ status: 'refunded', ...fields });
    expect([await aviso(), await shop.orders()]).toMatchObject([null, [{ estado: 'cancelado' }]]);
    const refunds = await world.db.selectFrom('reembolsos').select('importe_cents').execute();
    expect(refunds).toEqual([{ importe_cents: 4895 }]);
  });

  test('of an order that has left is told beside its end', async () => {
    await made();
    await move('en_ruta');
    await later({ status: 'refunded', ...back('48.95') });
    expect((await aviso())?.split('. ').map((text) => text.slice(0, 30))).toEqual([
      'La tienda ha devuelto 48,95 €,',
      'La tienda lo ha reembolsado, p',
    ]);
  });

  test('that was told before is nothing, and of two only the new one', async () => {
    await made();
    await later(back('5.00'));
    await later({ ...back('5.00'), customer_note: '' });
    expect(await aviso()).toBeNull();
    await later(back('5.00', '2.50'));
    expect(await aviso()).toMatch(/^La tienda ha devuelto 2,50 €/);
    const rows = await world.db.selectFrom('reembolsos').select(['externo_id', 'importe_cents']).orderBy('externo_id').execute();
    expect(rows).toEqual([
      { externo_id: '1', importe_cents: 500 },
      { externo_id: '2', importe_cents: 250 },
    ]);
  });

  test('before an order is made again is taken off, and told', async () => {
    await made();
    await later(back('10.00'));
    await later({ status: 'cancelled', ...back('10.00') });
    await later(back('10.00'));
    expect((await aviso())?.split('. ')).toEqual([
      expect.stringMatching(/^Se había cancelado como ORD-\d+ y la tienda lo ha retomado: es un pedido nuevo$/),
      'De lo cobrado ya se habían devuelto 10,00 €, que se han descontado',
    ]);
    expect((await shop.orders()).map(({ estado, precio_total }) => [estado, precio_total]).toSorted()).toEqual([
      ['cancelado', 38.95],
      ['pendiente', 38.95],
    ]);
  });
});
