import { sql } from 'kysely';
import { createDevolucion, moverDevolucion } from '../contract/devoluciones/devoluciones.ts';
import { anularPago, devolverPago } from '../contract/payments/payments.ts';
import { deletePedido, getPedido, restorePedido, setEstado } from '../contract/pedidos/pedidos.ts';
import { each, range, shuffled } from './each.ts';
import type { Shop } from './world.ts';

/* Acts of the office on orders of web shops (row `tienda`). */

type Reached = { id: string; pago: string };
/** Cents of an order's rows: paid by the shop, given back there or here, refunds that the shop knows; and what its order still lacks. */
type Rows = { got: number; back: number; known: number; due: number };
type OfficeAct = {
  name: string;
  /** States that the shop says before the act, and after. */
  before: string[];
  after: string[];
  act: (shop: Shop, order: Reached) => Promise<unknown>;
  rows: (cents: number) => Rows;
};
const REOPENED = ['cancelled', 'processing'];
const remove = (shop: Shop, { id }: Reached) => shop.admin.call(deletePedido, { params: { id } });
/** What the office does with an order that its shop was paid for, and the rows that then must be there. */
const OFFICE: readonly OfficeAct[] = [
  {
    name: 'refunded by the office',
    before: ['cancelled'],
    after: ['processing'],
    act: (shop, { pago }) => shop.admin.call(devolverPago, { params: { id: pago }, body: { nota: null } }),
    rows: (cents) => ({ got: cents, back: cents, known: 0, due: cents }),
  },
  {
    name: 'annulled',
    before: [],
    after: REOPENED,
    act: (shop, { pago }) => shop.admin.call(anularPago, { params: { id: pago }, body: { motivo: 'Lo devolvió el banco' } }),
    rows: (cents) => ({ got: 0, back: 0, known: 0, due: cents }),
  },
  { name: 'deleted', before: [], after: REOPENED, act: remove, rows: (cents) => ({ got: cents, back: 0, known: 0, due: 0 }) },
  {
    name: 'deleted and restored',
    before: [],
    after: ['partly'],
    act: async (shop, order) => {
      await remove(shop, order);
      await shop.admin.call(restorePedido, { params: { id: order.id } });
    },
    rows: (cents) => ({ got: cents, back: 495, known: 495, due: 0 }),
  },
  {
    name: 'returned and moved to another order',
    before: [],
    after: ['partly'],
    act: async (shop, { id }) => {
      const params = { id };
      await shop.admin.call(setEstado, { params, body: { estado: 'completado', metodo_entrega: 'manual' } });
      const { lineas } = (await shop.admin.call(getPedido, { params })).body.data;
      const all = (lineas ?? []).map(({ numero, cantidad }) => ({ numero, cantidad, destino: 'stock' as const }));
      const body = { lineas: all, motivo: 'desistimiento' as const };
      const { id: devolucion } = (await shop.admin.call(createDevolucion, { params, body })).body.data;
      const { numero_orden } = await shop.pedido({ pack_id: (await dearPack(shop)).id });
      await shop.admin.call(moverDevolucion, { params: { id: devolucion }, body: { numero_orden } });
    },
    rows: (cents) => ({ got: cents, back: 0, known: 495, due: 0 }),
  },
];
let dear: ReturnType<Shop['pack']> | undefined;
/** Pack of an order that takes all money that is moved to it. */
const dearPack = (shop: Shop) => (dear ??= shop.pack({ pack_price: 900 }));
const OFFICE_ORDERS = 100;

/** `say`: sends message `n` of order `i` of a shop, in this state. `settle`: waits until all messages are read. */
type Acting = {
  say: (message: [shop: number, i: number, n: number, state: string]) => Promise<unknown>;
  settle: () => Promise<unknown>;
  centsOf: (i: number, shop: number) => number;
};
/** Lets the office act on orders of both shops while their messages are sent again; returns what differs from the rows of the model. */
export async function actOfOffice(shop: Shop, { say, settle, centsOf }: Acting) {
  const orders = shuffled([0, 1].flatMap((from) => range(OFFICE_ORDERS).map((n) => [from, 50_001 + n * 20 + (n % 19)] as const)));
  const actOn = (i: number) => OFFICE[Math.floor((i - 50_001) / 20) % OFFICE.length] as OfficeAct;
  const sayAll = async (turn: number) => {
    await each(orders, 10, async ([from, i]) => {
      const { before, after } = actOn(i);
      const states = ['processing', ...before, ...after];
      const [now, last] = [states[turn], states[turn - 1]];
      // Each message once more, before or after the next one.
      for (const [n, state] of shuffled([[turn, now] as const, [turn - 1, last] as const])) if (state) await say([from, i, n, state]);
    });
    await settle();
  };
  const reached = () =>
    shop.inspect(async (db) => {
      const { rows } = await sql<Reached & Rows & { shop: number; numero: string }>`SELECT t.numero, p.id,
          (SELECT count(*)::int FROM tiendas o WHERE o.created_at < s.created_at) AS shop,
          (SELECT id FROM pagos WHERE tienda_pedido_id = t.id LIMIT 1) AS pago, p.pendiente_cents AS due,
          (SELECT coalesce(sum(importe_cents), 0)::int FROM reembolsos WHERE tienda_pedido_id = t.id) AS known, g.got, g.back
        FROM tienda_pedidos t JOIN tiendas s ON s.id = t.tienda_id JOIN pedidos p ON p.id = t.pedido_id,
          LATERAL (SELECT coalesce(sum(importe_cents), 0)::int AS got,
            coalesce(sum(CASE WHEN estado = 'devuelto' THEN importe_cents ELSE devuelto_cents END), 0)::int AS back
            FROM pagos WHERE tienda_pedido_id = t.id AND estado <> 'anulado') g`.execute(db);
      return new Map(rows.map((row) => [`${row.shop} ${row.numero}`, row]));
    });
  await sayAll(0);
  const longest = Math.max(...OFFICE.map(({ before, after }) => before.length + after.length));
  const acted = new Set<string>();
  for (let turn = 0; turn <= longest; turn += 1) {
    if (turn > 0) await sayAll(turn);
    const there = await reached();
    // Acts once the shop has said all that comes before.
    await each(orders, 10, async ([from, i]) => {
      const key = `${from} ${10_000 + i}`;
      const [act, order] = [actOn(i), there.get(key)];
      if (!order || acted.has(key) || act.before.length > turn) return;
      acted.add(key);
      await Promise.all([act.act(shop, order), say([from, i, turn, ['processing', ...act.before][turn] ?? ''])]);
    });
    await settle();
  }
  const there = await reached();
  const wrong = orders.flatMap(([from, i]) => {
    const order = there.get(`${from} ${10_000 + i}`);
    const { name, rows } = actOn(i);
    const model = rows(centsOf(i, from));
    const found = order && { got: order.got, back: order.back, known: order.known, due: order.due };
    const isRight = JSON.stringify(found) === JSON.stringify(model);
    return isRight ? [] : [`${name}: ${JSON.stringify(found)} instead of ${JSON.stringify(model)}`];
  });
  return { count: acted.size, wrong };
}
