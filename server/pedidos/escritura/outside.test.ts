import { beforeEach, describe, expect, it } from 'vitest';
import { listNotifications } from '../../../contract/notifications/notifications.ts';
import type { EstadoPago } from '../../../contract/payments/fields.ts';
import { getHistorial } from '../../../contract/pedidos/pedidos.ts';
import { SISTEMA } from '../../../contract/policy/policy.ts';
import { dayInMadrid } from '../../../test/day.ts';
import { admin, world, worldForEachTest } from '../../../test/roles-world.ts';
import { type Tx, transact } from '../../db/open.ts';
import { lockPedido, type PedidoRow } from '../lectura/row.ts';
import * as outside from './outside.ts';

/* Money of web shops and providers. */

worldForEachTest();

let tienda: string;
let shops = 0;
beforeEach(async () => {
  tienda = (
    await world.db
      .insertInto('tiendas')
      .values({ conector: 'woo', nombre: 'Tienda', origen: 'https://tienda.test' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
  await world.db
    .insertInto('webhooks')
    .values({ url: 'https://erp.test', eventos: ['pago.reembolsado'], secreto: 'x' })
    .execute();
});

/** An order of 10 € and the shop's id of it. */
async function shopOrder(fields: Parameters<typeof world.pedido>[0] = {}) {
  const pack = await world.pack({ pack_price_cents: 1000 });
  const { id, numero_orden } = await world.pedido({ estado: 'pendiente_pago', pack, ...fields });
  shops += 1;
  const { id: shop } = await world.db
    .insertInto('tienda_pedidos')
    .values({ tienda_id: tienda, externo_id: `${shops}`, numero: `${shops}`, modificado_at: new Date().toISOString(), pedido_id: id })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, numero_orden, shop };
}
const within = <T>(id: string, work: (tx: Tx, row: PedidoRow) => Promise<T>): Promise<T> =>
  transact(world.db, async (tx) => work(tx, await lockPedido(tx, SISTEMA, id)));

type Pago = { importe_cents: number; estado?: EstadoPago; devuelto_cents?: number; created_at?: string; devolucion_id?: string };
let keys = 0;
const pay = async (pedido_id: string, shop: string | null, { estado = 'pagado', ...pago }: Pago) =>
  (
    await world.db
      .insertInto('pagos')
      .values({ pedido_id, tienda_pedido_id: shop, proveedor: 'tarjeta', referencia: '', externo_id: `t${++keys}`, estado, ...pago })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
const pagos = (shop: string) =>
  world.db
    .selectFrom('pagos')
    .select(['pedido_id', 'estado', 'importe_cents', 'devuelto_cents'])
    .where('tienda_pedido_id', '=', shop)
    .orderBy('importe_cents', 'desc')
    .execute();
const refunds = () =>
  world.db
    .selectFrom('reembolsos')
    .select(['pedido_id', 'pago_id', 'devolucion_id', 'importe_cents', 'tienda_pedido_id', 'externo_id'])
    .orderBy('importe_cents', 'desc')
    .execute();
const steps = async (id: string) =>
  (await admin.call(getHistorial, { params: { id } })).body.data.map(({ accion, nota }) => [
    accion,
    nota?.replaceAll('\u00a0', ' ') ?? null,
  ]);
const events = async () => {
  const rows = await world.db.selectFrom('outbox').select('payload').where('channel', '=', 'webhook').execute();
  return rows
    .map(({ payload }) => Number(/"importe":(-?[\d.]+)/.exec(JSON.stringify(payload).replaceAll('\\', ''))?.[1]))
    .sort((a, b) => a - b);
};
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('a payment of a web shop', () => {
  const book = (id: string, shop: string, cents: number, more: object = {}) =>
    within(id, (tx, row) => outside.bookShopPayment(tx, SISTEMA, row, { shop, metodo: 'bizum', referencia: '', cents, ...more }));

  it.each<[string, number, object, string, [string, string | null][]]>([
    ['whole', 1000, {}, 'pendiente', [['Pagado', 'Bizum en la tienda']]],
    ['whole, with its reference', 1000, { referencia: 'R1' }, 'pendiente', [['Pagado', 'R1']]],
    ['a part', 400, {}, 'pendiente_pago', [['Pago anotado', '4,00 € · Bizum en la tienda']]],
    ['a part, with its reference', 400, { referencia: 'R1' }, 'pendiente_pago', [['Pago anotado', '4,00 € · Bizum en la tienda · R1']]],
    [
      'too much',
      1100,
      {},
      'pendiente',
      [
        ['Pagado', 'No queda nada por pagar'],
        ['Pago anotado', '11,00 € · Bizum en la tienda'],
      ],
    ],
  ])('is booked on an unpaid order: %s', async (_, cents, more, estado, messages) => {
    const { id, shop } = await shopOrder();
    expect((await book(id, shop, cents, more)).estado).toBe(estado);
    expect(await steps(id)).toEqual(messages);
    const { referencia, externo_id, proveedor } = await world.db.selectFrom('pagos').selectAll().executeTakeFirstOrThrow();
    expect([referencia, externo_id, proveedor]).toEqual([(more as { referencia?: string }).referencia ?? '', `tienda:${shop}:0`, 'bizum']);
    const due = (await admin.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'devolucion_pendiente');
    expect(due).toHaveLength(cents > 1000 ? 1 : 0);
  });

  it('is booked without a step on an order that waits for none', async () => {
    const { id, shop } = await shopOrder({ estado: 'pendiente' });
    await book(id, shop, 400);
    expect((await book(id, shop, 600)).pendiente_cents).toBe(0);
    expect((await steps(id)).map(([accion]) => accion)).toEqual(['Pago anotado', 'Pago anotado']);
    const keys = await world.db.selectFrom('pagos').select('externo_id').orderBy('externo_id').execute();
    expect(keys.map(({ externo_id }) => externo_id)).toEqual([`tienda:${shop}:0`, `tienda:${shop}:1`]);
  });

  it.each<[string, string | undefined, () => string]>([
    ['unsaid', undefined, dayInMadrid],
    ['a day', '2026-03-01', () => '2026-03-01'],
    ['a day to come', '2999-01-01', dayInMadrid],
    ['an instant', '2026-03-01T23:30:00Z', () => '2026-03-02'],
    ['an instant to come', '2999-03-01T23:30:00Z', dayInMadrid],
  ])('has the business day of its date: %s', async (_, fecha, day) => {
    const { id, shop } = await shopOrder();
    await book(id, shop, 1000, { fecha });
    const { fecha: booked } = await world.db.selectFrom('pagos').select('fecha').executeTakeFirstOrThrow();
    expect(booked).toBe(day());
  });
});

describe('a refund of a web shop', () => {
  const book = (id: string, shop: string, cents: number, externo_id: string | null = 'r1') =>
    within(id, (tx, row) => outside.bookShopRefund(tx, row, { shop, cents, externo_id }));

  it('comes from its newest payments, at most their sum', async () => {
    const { id, shop } = await shopOrder({ estado: 'pendiente', precio_total_cents: 3000 });
    const other = await shopOrder({ estado: 'pendiente' });
    await pay(other.id, other.shop, { importe_cents: 1000 });
    const old = await pay(id, shop, { importe_cents: 1000, created_at: minutesAgo(2) });
    const newest = await pay(id, shop, { importe_cents: 500, created_at: minutesAgo(1) });
    await pay(id, shop, { importe_cents: 300, estado: 'anulado', created_at: minutesAgo(0) });
    await pay(id, null, { importe_cents: 200 });
    expect(await book(id, shop, 600)).toBe(600);
    const common = { pedido_id: id, devolucion_id: null, tienda_pedido_id: shop, externo_id: 'r1' };
    expect(await refunds()).toEqual([
      { ...common, pago_id: newest, importe_cents: 500 },
      { ...common, pago_id: old, importe_cents: 100 },
    ]);
    expect((await pagos(shop)).map(({ estado, devuelto_cents }) => [estado, devuelto_cents])).toEqual([
      ['pagado', 100],
      ['pagado', 500],
      ['anulado', 0],
    ]);
    expect(await book(id, shop, 2000)).toBe(900);
    expect(await book(id, shop, 100)).toBe(0);
    expect((await pagos(other.shop)).map(({ devuelto_cents }) => devuelto_cents)).toEqual([0]);
    expect(await steps(id)).toEqual([
      ['Reembolso anotado', '9,00 € devueltos en la tienda'],
      ['Reembolso anotado', '6,00 € devueltos en la tienda'],
    ]);
    expect(await events()).toEqual([6, 9]);
  });

  it('closes a payment that was to be given back, once it is whole', async () => {
    const { id, shop } = await shopOrder({ estado: 'cancelado' });
    await pay(id, shop, { importe_cents: 1000, estado: 'devolucion_pendiente' });
    await book(id, shop, 400);
    expect(await pagos(shop)).toMatchObject([{ estado: 'devolucion_pendiente', devuelto_cents: 400 }]);
    await book(id, shop, 600);
    expect(await pagos(shop)).toMatchObject([{ estado: 'devuelto', devuelto_cents: 1000 }]);
  });

  it('is no row if it is of nothing', async () => {
    const { id } = await shopOrder();
    for (const importe_cents of [0, 1]) await transact(world.db, (tx) => outside.recordRefund(tx, { pedido_id: id, importe_cents }));
    expect((await refunds()).map(({ importe_cents }) => importe_cents)).toEqual([1]);
  });

  it('gets the shop’s id at the newest one that has none', async () => {
    const { id, shop } = await shopOrder();
    const other = await shopOrder();
    const row = (minutes: number, more: object = {}) => ({
      pedido_id: id,
      tienda_pedido_id: shop,
      importe_cents: minutes,
      created_at: minutesAgo(minutes),
      ...more,
    });
    await world.db
      .insertInto('reembolsos')
      .values([row(5), row(4), row(3, { externo_id: 'known' }), row(2, { tienda_pedido_id: other.shop }), row(6)])
      .execute();
    await outside.nameRefund(world.db, shop, 'new');
    expect((await refunds()).map(({ importe_cents, externo_id }) => [importe_cents, externo_id])).toEqual([
      [6, null],
      [5, null],
      [4, 'new'],
      [3, 'known'],
      [2, null],
    ]);
  });
});

describe('the money of a web shop’s order', () => {
  it('is summed by what became of it', async () => {
    const { id, shop } = await shopOrder({ estado: 'pendiente', precio_total_cents: 9000 });
    const other = await shopOrder();
    await pay(other.id, other.shop, { importe_cents: 7 });
    await pay(id, shop, { importe_cents: 1000, devuelto_cents: 100 });
    await pay(id, shop, { importe_cents: 500, estado: 'devuelto' });
    await pay(id, shop, { importe_cents: 300, estado: 'anulado' });
    await pay(id, shop, { importe_cents: 200, estado: 'devolucion_pendiente', devuelto_cents: 50 });
    const refund = { pedido_id: id, tienda_pedido_id: shop };
    await world.db
      .insertInto('reembolsos')
      .values([
        { ...refund, importe_cents: 40, externo_id: 'a' },
        { ...refund, importe_cents: 2, externo_id: null },
        { pedido_id: other.id, tienda_pedido_id: other.shop, importe_cents: 9, externo_id: 'z' },
      ])
      .execute();
    const read = (of: string) => transact(world.db, (tx) => outside.shopMoneyOf(tx, of));
    expect(await read(shop)).toEqual({ payments: 4, pagado: 1700, devuelto: 650, anulado: 300, told: 42, ids: ['a'] });
    expect(await read(other.shop)).toMatchObject({ payments: 1, pagado: 7, devuelto: 0, told: 9, ids: ['z'] });
    expect(await read((await shopOrder()).shop)).toEqual({ payments: 0, pagado: 0, devuelto: 0, anulado: 0, told: 0, ids: [] });
  });

  it('moves with its refunds to the order that is made again', async () => {
    const from = await shopOrder({ estado: 'cancelado', precio_total_cents: 5000 });
    const to = await world.pedido({ estado: 'pendiente_pago', precio_total_cents: 5000 });
    const other = await shopOrder({ estado: 'pendiente' });
    await pay(other.id, other.shop, { importe_cents: 7 });
    await pay(from.id, from.shop, { importe_cents: 1000, devuelto_cents: 100 });
    await pay(from.id, from.shop, { importe_cents: 500, estado: 'devuelto' });
    await pay(from.id, from.shop, { importe_cents: 300, estado: 'anulado' });
    await pay(from.id, from.shop, { importe_cents: 200, estado: 'devolucion_pendiente', devuelto_cents: 50 });
    const refund = { externo_id: 'a', importe_cents: 100 };
    await world.db
      .insertInto('reembolsos')
      .values([
        { ...refund, pedido_id: from.id, tienda_pedido_id: from.shop },
        { ...refund, pedido_id: other.id, tienda_pedido_id: other.shop, importe_cents: 9 },
      ])
      .execute();
    const move = ({ id, shop }: typeof from) =>
      within(id, async (tx, row) => outside.moveShopPayments(tx, shop, row, await lockPedido(tx, SISTEMA, to.id)));
    expect(await move(from)).toEqual({ pagado: 1050, devuelto: 650, anulado: 300 });
    expect(await pagos(from.shop)).toEqual([
      { pedido_id: to.id, estado: 'pagado', importe_cents: 1000, devuelto_cents: 100 },
      { pedido_id: to.id, estado: 'devuelto', importe_cents: 500, devuelto_cents: 0 },
      { pedido_id: to.id, estado: 'anulado', importe_cents: 300, devuelto_cents: 0 },
      { pedido_id: to.id, estado: 'pagado', importe_cents: 200, devuelto_cents: 50 },
    ]);
    expect((await refunds()).map(({ pedido_id }) => pedido_id)).toEqual([to.id, other.id]);
    expect(await pagos(other.shop)).toMatchObject([{ pedido_id: other.id, estado: 'pagado' }]);
    expect(await steps(from.id)).toEqual([['Pago pasado a otro pedido', to.numero_orden]]);
    const rows = await world.db.selectFrom('pedidos').select(['id', 'pagado_cents']).where('id', 'in', [from.id, to.id]).execute();
    expect(Object.fromEntries(rows.map((row) => [row.id, row.pagado_cents]))).toMatchObject({ [from.id]: 0 });
    const empty = await shopOrder({ estado: 'cancelado' });
    expect(await move(empty)).toEqual({ pagado: 0, devuelto: 0, anulado: 0 });
    expect(await steps(empty.id)).toEqual([]);
  });
});

describe('a return', () => {
  const giveBack = async (pedido_id: string, more: object = {}) =>
    (
      await world.db
        .insertInto('devoluciones')
        .values({ pedido_id, motivo: 'otro', actor_nombre: 'Ana', ...more })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;

  it('that is annulled leaves its outside refunds to their payments', async () => {
    const { id, shop } = await shopOrder({ estado: 'completado', precio_total_cents: 3000 });
    const [devolucion_id, other] = [await giveBack(id), await giveBack(id)];
    const [ofShop, ofProvider, closed] = [
      await pay(id, shop, { importe_cents: 1000, devuelto_cents: 200 }),
      await pay(id, null, { importe_cents: 500 }),
      await pay(id, null, { importe_cents: 300, estado: 'devolucion_pendiente', devuelto_cents: 250 }),
    ];
    const refund = { pedido_id: id, devolucion_id };
    await world.db
      .insertInto('reembolsos')
      .values([
        { ...refund, pago_id: ofShop, importe_cents: 400, tienda_pedido_id: shop },
        { ...refund, pago_id: ofProvider, importe_cents: 30 },
        { ...refund, pago_id: closed, importe_cents: 60 },
        { pedido_id: id, devolucion_id: other, pago_id: ofShop, importe_cents: 5, tienda_pedido_id: shop },
      ])
      .execute();
    expect(await within(id, (tx, row) => outside.fallBack(tx, row, devolucion_id))).toBe(400);
    const noted = await world.db.selectFrom('pagos').select(['id', 'devuelto_cents', 'estado']).execute();
    expect(new Map(noted.map((pago) => [pago.id, [pago.devuelto_cents, pago.estado]]))).toEqual(
      new Map([
        [ofShop, [600, 'pagado']],
        [ofProvider, [30, 'pagado']],
        [closed, [300, 'devuelto']],
      ]),
    );
    expect((await refunds()).map((row) => [row.importe_cents, row.devolucion_id])).toEqual([
      [400, null],
      [60, null],
      [30, null],
      [5, other],
    ]);
    expect(await events()).toEqual([0.3, 0.6, 4]);
  });

  it('has given back what did not go on to another order', async () => {
    const { id } = await shopOrder({ estado: 'completado', precio_total_cents: 5000 });
    const next = await world.pedido({ precio_total_cents: 5000 });
    await world.db.updateTable('pedidos').set({ reembolsado_cents: 2000 }).where('id', '=', id).execute();
    const devolucion_id = await giveBack(id);
    const annulled = await giveBack(id, { anulada_at: new Date().toISOString(), anulada_motivo: 'x' });
    const elsewhere = await giveBack(next.id);
    await pay(next.id, null, { importe_cents: 700, devuelto_cents: 100, devolucion_id });
    await pay(next.id, null, { importe_cents: 50, estado: 'anulado', devolucion_id });
    await pay(next.id, null, { importe_cents: 60, estado: 'devuelto', devolucion_id });
    await pay(next.id, null, { importe_cents: 70, devolucion_id: annulled });
    await pay(next.id, null, { importe_cents: 80, devolucion_id: elsewhere });
    const givenBack = (pedido: string) => transact(world.db, (tx) => outside.givenBackOf(tx, pedido));
    expect([await givenBack(id), await givenBack((await shopOrder()).id)]).toEqual([1400, 0]);
  });
});
