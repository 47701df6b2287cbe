import { sql } from 'kysely';
import { METODO_PAGO_LABEL, type METODOS_PAGO } from '../../../contract/payments/fields.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import type { Tx } from '../../db/open.ts';
import { inEuros } from '../../kit/money.ts';
import { record } from '../historia/history.ts';
import { lockPedido, type PedidoRow } from '../lectura/row.ts';
import { notifyRefundsDue } from '../pagos/overpaid.ts';
import { notifyOfRefund } from '../pagos/pago-events.ts';
import { recordPago } from '../pagos/pagos.ts';
import { applyTransition, releaseIfPaid } from '../pasos/transition.ts';

/* Money that a web shop took and gave back: facts of its order, marked by `externo_id`. Nothing else is changed by its messages. */

/** Payment made in a shop, in cents; `shop` is the id of the shop's order, `fecha` an instant or day of the payment, today by default. */
type ShopPayment = {
  shop: string;
  metodo: (typeof METODOS_PAGO)[number];
  referencia: string;
  cents: number;
  fecha?: string | undefined;
};

const markOf = (shop: string) => `tienda:${shop}`;

/** Business day of an instant or day, never in the future. */
const dayOf = (fecha: string) =>
  sql<string>`least(dia_negocio(now()), ${fecha.length === 10 ? sql`${fecha}::date` : sql`dia_negocio(${fecha}::timestamptz)`})`;

/** Books a payment of the shop on a locked order; a fully paid order leaves `pendiente_pago`. Beyond the total it is owed back. */
export async function bookShopPayment(tx: Tx, actor: Actor, row: PedidoRow, payment: ShopPayment): Promise<PedidoRow> {
  const { shop, metodo, referencia, cents, fecha } = payment;
  const words = `${METODO_PAGO_LABEL[metodo]} en la tienda`;
  const { n } = await tx
    .selectFrom('pagos')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('externo_id', 'like', `${markOf(shop)}:%`)
    .executeTakeFirstOrThrow();
  const day = fecha ? (await tx.selectNoFrom(sql<string>`${dayOf(fecha)}::text`.as('day')).executeTakeFirstOrThrow()).day : undefined;
  const pago = { proveedor: metodo, referencia, importe_cents: cents, externo_id: `${markOf(shop)}:${n}`, ...(day && { fecha: day }) };
  if (row.estado === 'pendiente_pago' && cents === row.pendiente_cents)
    return applyTransition(tx, actor, row, { name: 'pagar', referencia: referencia || words }, { pago });
  await recordPago(tx, row, { ...pago, estado: 'pagado' });
  const after = await lockPedido(tx, actor, row.id);
  const nota = [inEuros(cents), words, referencia].filter(Boolean).join(' · ');
  await record(tx, actor, { accion: 'Pago anotado', action: 'update', nota }, row, after);
  await notifyRefundsDue(tx, [{ before: row, after }]);
  return releaseIfPaid(tx, after);
}

/** Books a refund of the shop on its payments of a locked order, once, and at most what was paid. Returns the cents booked. */
export async function bookShopRefund(tx: Tx, actor: Actor, row: PedidoRow, shop: string, cents: number): Promise<number> {
  const pagos = await tx
    .selectFrom('pagos')
    .select(['id', 'importe_cents', 'devuelto_cents', 'estado'])
    .where('externo_id', 'like', `${markOf(shop)}:%`)
    .where('pedido_id', '=', row.id)
    .where('estado', 'in', ['pagado', 'devolucion_pendiente'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  let left = cents;
  for (const { id, importe_cents, devuelto_cents, estado } of pagos) {
    const part = Math.min(left, importe_cents - devuelto_cents);
    if (part <= 0) continue;
    left -= part;
    const isWhole = devuelto_cents + part === importe_cents && estado === 'devolucion_pendiente';
    await tx
      .updateTable('pagos')
      .set({ devuelto_cents: devuelto_cents + part, ...(isWhole && { estado: 'devuelto' }), updated_at: sql`now()` })
      .where('id', '=', id)
      .execute();
  }
  const booked = cents - left;
  if (booked === 0) return 0;
  await notifyOfRefund(tx, { pedido_id: row.id, cents: booked });
  const nota = `${inEuros(booked)} devueltos en la tienda`;
  await record(tx, actor, { accion: 'Reembolso anotado', action: 'update', nota }, row, await lockPedido(tx, actor, row.id));
  return booked;
}

type ShopMoney = { pagado: number; devuelto: number; anulado: number };
/** Returns what the order holds of the shop's money, in cents: counted or given back, given back, and annulled by the office. */
export async function shopMoneyOf(tx: Tx, shop: string, pedido_id: string): Promise<ShopMoney> {
  const { rows } = await sql<ShopMoney>`
    SELECT coalesce(sum(importe_cents) FILTER (WHERE estado <> 'anulado'), 0)::bigint AS pagado,
      coalesce(sum(CASE WHEN estado = 'devuelto' THEN importe_cents ELSE devuelto_cents END) FILTER (WHERE estado <> 'anulado'), 0)::bigint AS devuelto,
      coalesce(sum(importe_cents) FILTER (WHERE estado = 'anulado'), 0)::bigint AS anulado
    FROM pagos WHERE pedido_id = ${pedido_id} AND externo_id LIKE ${`${markOf(shop)}:%`}`.execute(tx);
  return rows[0] ?? { pagado: 0, devuelto: 0, anulado: 0 };
}

/** Annuls the shop's payments of a cancelled order that are still owed back, because the shop has taken the order up again. */
export async function withdrawShopPayments(tx: Tx, shop: string, nota: string): Promise<void> {
  await tx
    .updateTable('pagos')
    .set({ estado: 'anulado', nota, updated_at: sql`now()` })
    .where('externo_id', 'like', `${markOf(shop)}:%`)
    .where('estado', '=', 'devolucion_pendiente')
    .where('devuelto_cents', '=', 0)
    .execute();
}
