import { sql } from 'kysely';
import { METODO_PAGO_LABEL, type METODOS_PAGO, POR_DEVOLVER } from '../../../contract/payments/fields.ts';
import { type Actor, SISTEMA } from '../../../contract/policy/policy.ts';
import type { Db, Tx } from '../../db/open.ts';
import { inEuros } from '../../kit/money.ts';
import { recordChange } from '../historia/history.ts';
import { lockPedido, type PedidoRow } from '../lectura/row.ts';
import { notifyRefundsDue } from '../pagos/overpaid.ts';
import { notifyOfRefund } from '../pagos/pago-events.ts';
import { recordPago } from '../pagos/pagos.ts';
import { applyTransition, releaseIfPaid } from '../pasos/transition.ts';

/*
 * Money of other programs as rows (decision 113): a web shop's payments (`pagos.tienda_pedido_id`), and each refund that a shop or a provider
 * made (`reembolsos`), with its id there. What an order, a return or the shop is told is read from these rows.
 */

/** Refund made elsewhere, in cents. `pago_id`: payment that it came from; `devolucion_id`: return at which it is noted instead. */
export type OutsideRefund = {
  pedido_id: string;
  importe_cents: number;
  pago_id?: string | null;
  devolucion_id?: string;
  tienda_pedido_id?: string | undefined;
  externo_id?: string | null | undefined;
};

export async function recordRefund(tx: Tx, refund: OutsideRefund): Promise<void> {
  if (refund.importe_cents > 0) await tx.insertInto('reembolsos').values(refund).execute();
}

/** Adds the shop's id to the newest refund that it was told. */
export async function nameRefund(db: Db, shop: string, externo_id: string): Promise<void> {
  await sql`UPDATE reembolsos SET externo_id = ${externo_id} WHERE id = (SELECT id FROM reembolsos
    WHERE tienda_pedido_id = ${shop} AND externo_id IS NULL ORDER BY created_at DESC, id LIMIT 1)`.execute(db);
}

/** Payment in a web shop, in cents. `shop`: id of the shop's order. `fecha`: instant or day of the payment; default: today. */
type ShopPayment = {
  shop: string;
  metodo: (typeof METODOS_PAGO)[number];
  referencia: string;
  cents: number;
  fecha?: string | undefined;
};

/** Business day of an instant or day, never in the future. */
const dayOf = (fecha: string) =>
  sql<string>`least(dia_negocio(now()), ${fecha.length === 10 ? sql`${fecha}::date` : sql`dia_negocio(${fecha}::timestamptz)`})`;

/** Books a payment of the shop on a locked order; a fully paid order leaves `pendiente_pago`. Money beyond the total is due for refund. */
export async function bookShopPayment(tx: Tx, actor: Actor, row: PedidoRow, payment: ShopPayment): Promise<PedidoRow> {
  const { shop, metodo, referencia, cents, fecha } = payment;
  const words = `${METODO_PAGO_LABEL[metodo]} en la tienda`;
  const { payments } = await shopMoneyOf(tx, shop);
  const day = fecha ? (await tx.selectNoFrom(sql<string>`${dayOf(fecha)}::text`.as('day')).executeTakeFirstOrThrow()).day : undefined;
  const origin = { tienda_pedido_id: shop, externo_id: `tienda:${shop}:${payments}` };
  const pago = { proveedor: metodo, referencia, importe_cents: cents, ...origin, ...(day && { fecha: day }) };
  if (row.estado === 'pendiente_pago' && cents === row.pendiente_cents)
    return applyTransition(tx, actor, row, { name: 'pagar', referencia: referencia || words }, { pago });
  await recordPago(tx, row, { ...pago, estado: 'pagado' });
  const after = await lockPedido(tx, actor, row.id);
  const nota = [inEuros(cents), words, referencia].filter(Boolean).join(' · ');
  await recordChange(tx, actor, { accion: 'Pago anotado', action: 'update', nota }, row, after);
  await notifyRefundsDue(tx, [{ before: row, after }]);
  return releaseIfPaid(tx, after);
}

type ShopRefund = { shop: string; cents: number; externo_id: string | null };

/** Books a refund of the shop on the shop's payments of a locked order, at most their sum. Returns the cents booked. */
export async function bookShopRefund(tx: Tx, row: PedidoRow, { shop, cents, externo_id }: ShopRefund): Promise<number> {
  let left = cents;
  for (const pago of await withRoom(tx, shop)) {
    const part = Math.min(left, pago.importe_cents - pago.devuelto_cents);
    if (part <= 0) continue;
    left -= part;
    await noteAtPayment(tx, pago, part);
    await recordRefund(tx, { pedido_id: row.id, pago_id: pago.id, importe_cents: part, tienda_pedido_id: shop, externo_id });
  }
  const booked = cents - left;
  if (booked === 0) return 0;
  await notifyOfRefund(tx, { pedido_id: row.id, cents: booked });
  const nota = `${inEuros(booked)} devueltos en la tienda`;
  await recordChange(tx, SISTEMA, { accion: 'Reembolso anotado', action: 'update', nota }, row, await lockPedido(tx, SISTEMA, row.id));
  return booked;
}

type Open = { id: string; estado: string; importe_cents: number; devuelto_cents: number };

/** Returns the shop's payments that are not refunded whole, newest first. */
export const withRoom = (tx: Tx, shop: string): Promise<Open[]> =>
  tx
    .selectFrom('pagos')
    .select(['id', 'estado', 'importe_cents', 'devuelto_cents'])
    .where('tienda_pedido_id', '=', shop)
    .where('estado', 'in', ['pagado', 'devolucion_pendiente'])
    .whereRef('devuelto_cents', '<', 'importe_cents')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();

async function noteAtPayment(tx: Tx, { id, estado, importe_cents, devuelto_cents }: Open, cents: number): Promise<void> {
  const after = devuelto_cents + cents;
  const isClosed = after === importe_cents && (POR_DEVOLVER as readonly string[]).includes(estado);
  await tx
    .updateTable('pagos')
    .set({ devuelto_cents: after, ...(isClosed && { estado: 'devuelto' }), updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

/** `payments`: rows, annulled ones too. In cents: `pagado` (refunded ones included), `devuelto`, `anulado`; `told`: all refunds that the shop knows. */
type ShopMoney = { payments: number; pagado: number; devuelto: number; anulado: number; told: number; ids: string[] };

/** Sums the payments and refunds of a shop's order. */
export async function shopMoneyOf(tx: Tx, shop: string): Promise<ShopMoney> {
  const { rows } = await sql<ShopMoney>`
    SELECT count(*)::int AS payments, coalesce(sum(importe_cents) FILTER (WHERE estado <> 'anulado'), 0)::bigint AS pagado,
      coalesce(sum(CASE WHEN estado = 'devuelto' THEN importe_cents ELSE devuelto_cents END) FILTER (WHERE estado <> 'anulado'), 0)::bigint AS devuelto,
      coalesce(sum(importe_cents) FILTER (WHERE estado = 'anulado'), 0)::bigint AS anulado,
      (SELECT coalesce(sum(importe_cents), 0)::bigint FROM reembolsos WHERE tienda_pedido_id = ${shop}) AS told,
      (SELECT coalesce(array_agg(externo_id) FILTER (WHERE externo_id IS NOT NULL), '{}') FROM reembolsos WHERE tienda_pedido_id = ${shop}) AS ids
    FROM pagos WHERE tienda_pedido_id = ${shop}`.execute(tx);
  return rows[0] as ShopMoney;
}

/** SQL for the cents of an order `p` that were given back here: without money that went on to another order and was not given back there. */
export const GIVEN_BACK = sql<number>`(p.reembolsado_cents - coalesce((SELECT sum(g.importe_cents - g.devuelto_cents) FROM pagos g
  JOIN devoluciones d ON d.id = g.devolucion_id WHERE d.pedido_id = p.id AND d.anulada_at IS NULL AND g.estado NOT IN ('anulado', 'devuelto')), 0))::bigint`;

/** Returns the cents that returns of a locked order gave back to the customer. */
export async function givenBackOf(tx: Tx, pedido_id: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`SELECT ${GIVEN_BACK} AS cents FROM pedidos p WHERE p.id = ${pedido_id}`.execute(tx);
  return rows[0]?.cents ?? 0;
}

/** Cents that moved with a shop's order: still received, given back, and annulled. */
export type Moved = { pagado: number; devuelto: number; anulado: number };

/** Moves a shop's payments, with their refunds and annulments, from a cancelled or deleted order to the one made again for it. Both are locked. */
export async function moveShopPayments(tx: Tx, shop: string, from: PedidoRow, to: PedidoRow): Promise<Moved> {
  // The trigger adds to the order that the row names afterwards: the first order loses the money before the row changes its order.
  await tx
    .updateTable('pagos')
    .set({ estado: 'devolucion_pendiente' })
    .where('tienda_pedido_id', '=', shop)
    .where('estado', '=', 'pagado')
    .execute();
  const { rows } = await sql<Pick<Open, 'estado' | 'importe_cents' | 'devuelto_cents'>>`
    UPDATE pagos SET pedido_id = ${to.id}, updated_at = now(),
      estado = CASE estado WHEN 'devolucion_pendiente' THEN 'pagado' ELSE estado END
    WHERE tienda_pedido_id = ${shop} RETURNING estado, importe_cents, devuelto_cents`.execute(tx);
  await tx.updateTable('reembolsos').set({ pedido_id: to.id }).where('tienda_pedido_id', '=', shop).execute();
  const moved = { pagado: 0, devuelto: 0, anulado: 0 };
  for (const { estado, importe_cents, devuelto_cents } of rows)
    if (estado === 'anulado') moved.anulado += importe_cents;
    else if (estado === 'devuelto') moved.devuelto += importe_cents;
    else {
      moved.pagado += importe_cents - devuelto_cents;
      moved.devuelto += devuelto_cents;
    }
  if (rows.length === 0) return moved;
  const step = { accion: 'Pago pasado a otro pedido', action: 'update' } as const;
  const after = await lockPedido(tx, SISTEMA, from.id);
  await recordChange(tx, SISTEMA, { ...step, nota: to.numero_orden }, from, after);
  return moved;
}

/**
 * Notes the outside refunds of an annulled return at the payments that they came from; the order must be locked. Returns the cents of a web
 * shop, which never claims them again.
 */
export async function fallBack(tx: Tx, row: PedidoRow, devolucion_id: string): Promise<number> {
  const refunds = await tx
    .selectFrom('reembolsos as r')
    .innerJoin('pagos as g', 'g.id', 'r.pago_id')
    .select(['r.id as refund', 'r.importe_cents as cents', 'r.tienda_pedido_id', 'g.id'])
    .where('r.devolucion_id', '=', devolucion_id)
    .execute();
  let ofShop = 0;
  for (const { refund, cents, tienda_pedido_id, id } of refunds) {
    const pago = await tx
      .selectFrom('pagos')
      .select(['id', 'estado', 'importe_cents', 'devuelto_cents'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await noteAtPayment(tx, pago, Math.min(cents, pago.importe_cents - pago.devuelto_cents));
    await tx.updateTable('reembolsos').set({ devolucion_id: null }).where('id', '=', refund).execute();
    await notifyOfRefund(tx, { pedido_id: row.id, pago_id: id, cents });
    if (tienda_pedido_id) ofShop += cents;
  }
  return ofShop;
}
