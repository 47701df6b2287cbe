import { sql } from 'kysely';
import type { BodyOut } from '../../../contract/kit/endpoint.ts';
import { POR_DEVOLVER } from '../../../contract/payments/fields.ts';
import type { reembolsarSobra } from '../../../contract/payments/payments.ts';
import { overpaidPart } from '../../../contract/pedidos/money.ts';
import { type Actor, rolesOf, SISTEMA } from '../../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { conflict, invalid } from '../../kit/errors.ts';
import { inEuros, toCents } from '../../kit/money.ts';
import { notify } from '../../notifications/notify.ts';
import { recordChange } from '../historia/history.ts';
import { COLUMNS, lockPedido, type PedidoRow } from '../lectura/row.ts';
import type { ValuedReturn } from '../lineas/devuelto.ts';
import { notifyOfRefund } from './pago-events.ts';

/* Money paid beyond the total, or for a deleted order, which makes a refund due (decisions 086 and 101). */

/** Returns the cents to refund beyond the value of goods; the rest of `por_reembolsar_cents` is for returned and undelivered goods. */
export const overpaidCents = ({ por_reembolsar_cents, pagado_cents, precio_total_cents, deleted_at }: PedidoRow): number =>
  overpaidPart({ due: por_reembolsar_cents, paid: pagado_cents, total: precio_total_cents, deleted: deleted_at !== null });

/** Returns the cents to refund of each return, by id; `returns` newest first. Cents beyond the goods' value belong to the newest return. */
export function owedByReturn(row: PedidoRow, returns: readonly ValuedReturn[]): Map<string, number> {
  const open = returns.filter(({ anulada_at }) => !anulada_at);
  let left = row.deleted_at ? 0 : row.por_reembolsar_cents - overpaidCents(row);
  const owed = new Map<string, number>();
  for (const { id, valor_cents, de_mas_cents, reembolso_cents, retenido_cents } of open) {
    const own = Math.min(left, Math.max(0, valor_cents + de_mas_cents - reembolso_cents - retenido_cents));
    left -= own;
    owed.set(id, own);
  }
  const [newest] = open;
  if (newest) owed.set(newest.id, (owed.get(newest.id) ?? 0) + left);
  return owed;
}

type Changed = { before: PedidoRow; after: PedidoRow };

/** Notifies the office of each order whose change has increased the refund due. */
export async function notifyRefundsDue(tx: Tx, changes: readonly Changed[]): Promise<void> {
  const notices = changes
    .filter(({ before, after }) => after.por_reembolsar_cents > before.por_reembolsar_cents)
    .map(({ before, after }) => ({
      tipo: 'devolucion_pendiente' as const,
      texto: `Reembolso pendiente: ${whyDue(before, after)}`,
      // Includes the author: the refund is a pending task.
      roles: [...rolesOf('pago:manage')],
      enlace: `/pedidos/${after.id}`,
      pedido_id: after.id,
      mail: true,
    }));
  if (notices.length) await notify(tx, ...notices);
}

function whyDue(before: PedidoRow, after: PedidoRow): string {
  const order = `el pedido ${after.numero_orden} (${after.cliente_nombre})`;
  if (after.deleted_at) return `${order} estaba pagado y se ha eliminado`;
  return overpaidCents(after) > overpaidCents(before)
    ? `se ha pagado más de lo que cuesta ${order}`
    : `se ha devuelto mercancía de ${order}`;
}

/** Notes a refund (euros) beyond the total, from the latest payments. Throws 404, 409 if nothing is owed, 422 for more than is owed. */
export const refundOverpaid = async (db: Db, actor: Actor, id: string, input: BodyOut<typeof reembolsarSobra>): Promise<PedidoRow> =>
  transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    const owed = overpaidCents(row);
    if (owed === 0) throw conflict('En este pedido no sobra nada por reembolsar');
    const cents = toCents(input.importe);
    if (cents === 0) throw invalid('importe', 'Indica cuánto se ha reembolsado');
    if (cents > owed) throw invalid('importe', `Como máximo lo que sobra: ${inEuros(owed)}`);
    const { referencia } = input;
    await takeFromPayments(tx, id, cents, referencia);
    await notifyOfRefund(tx, { pedido_id: id, cents });
    const after = await lockPedido(tx, actor, id);
    const nota = [inEuros(cents), referencia].filter(Boolean).join(' · ');
    await recordChange(tx, actor, { accion: 'Reembolso anotado', action: 'update', nota }, row, after);
    return after;
  });

async function takeFromPayments(tx: Tx, pedido_id: string, cents: number, nota: string | null): Promise<void> {
  const pagos = await tx
    .selectFrom('pagos')
    .select(['id', 'importe_cents', 'devuelto_cents'])
    .where('pedido_id', '=', pedido_id)
    .where('estado', '=', 'pagado')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  let left = cents;
  for (const { id, importe_cents, devuelto_cents } of pagos) {
    const part = Math.min(left, importe_cents - devuelto_cents);
    if (part === 0) continue;
    left -= part;
    await tx
      .updateTable('pagos')
      .set({ devuelto_cents: devuelto_cents + part, updated_at: sql`now()`, ...(nota && { nota }) })
      .where('id', '=', id)
      .execute();
  }
}

/* Refunds and disputes that happened at the provider or bank, not through this program. */

type Named = { proveedor: string; externo_id: string };

/** Adds the provider's id to a payment, by which refunds and disputes find the payment. */
export async function nameIntent(tx: Tx, { proveedor, externo_id, intento }: Named & { intento: string }): Promise<void> {
  await tx
    .updateTable('pagos')
    .set({ intento })
    .where('proveedor', '=', proveedor)
    .where('externo_id', '=', externo_id)
    .where('intento', 'is', null)
    .execute();
}

/** Locks the order of a payment, and returns both; undefined for an unknown payment. */
export async function lockPaid(tx: Tx, { proveedor, externo_id }: Named) {
  const found = tx
    .selectFrom('pagos')
    .select(['id', 'pedido_id', 'estado', 'importe_cents', 'devuelto_cents'])
    .where('proveedor', '=', proveedor)
    .where('externo_id', '=', externo_id);
  const before = await found.executeTakeFirst();
  if (!before) return undefined;
  const pedido = await tx.selectFrom('pedidos').select(COLUMNS).where('id', '=', before.pedido_id).forUpdate().executeTakeFirstOrThrow();
  return { pago: await found.executeTakeFirstOrThrow(), pedido };
}

export type LockedPago = NonNullable<Awaited<ReturnType<typeof lockPaid>>>;

/** Cents of a payment that are already noted as refunded: at the payment, or at the order's returns. */
export const notedBack = ({ pago, pedido }: LockedPago): number =>
  pago.estado === 'devuelto' ? pago.importe_cents : pago.devuelto_cents + (pago.estado === 'pagado' ? pedido.reembolsado_cents : 0);

/** Books `cents` as refunded from a payment of a locked order; writes history and webhook. Returns the changed order. */
export async function takeFromPago(tx: Tx, { pago, pedido }: LockedPago, cents: number, accion: string): Promise<PedidoRow> {
  const devuelto_cents = pago.devuelto_cents + cents;
  const closes = POR_DEVOLVER.includes(pago.estado) && devuelto_cents === pago.importe_cents;
  // A payment due for refund becomes `devuelto` only once refunded whole, as when a person notes the refund.
  const set = closes ? { estado: 'devuelto' as const, nota: accion } : { devuelto_cents };
  await tx
    .updateTable('pagos')
    .set({ ...set, updated_at: sql`now()` })
    .where('id', '=', pago.id)
    .execute();
  await notifyOfRefund(tx, { pedido_id: pedido.id, pago_id: pago.id, cents });
  const after = await tx.selectFrom('pedidos').select(COLUMNS).where('id', '=', pedido.id).executeTakeFirstOrThrow();
  await recordChange(tx, SISTEMA, { accion, action: 'update', nota: inEuros(cents) }, pedido, after);
  return after;
}

/** Marks payments of cancelled orders for refund and notifies the superadmins, who refund at the bank. */
export async function oweRefunds(tx: Tx, pedidos: readonly Pick<PedidoRow, 'id' | 'numero_orden' | 'cliente_nombre'>[]): Promise<void> {
  if (pedidos.length === 0) return;
  const paid = () =>
    tx
      .updateTable('pagos')
      .where('pedido_id', '=', sql<string>`ANY (${pedidos.map(({ id }) => id)}::uuid[])`)
      .where('estado', '=', 'pagado');
  // A payment already refunded in full needs no further refund.
  await paid()
    .set({ estado: 'devuelto', updated_at: sql`now()` })
    .where('importe_cents', '>', 0)
    .whereRef('devuelto_cents', '=', 'importe_cents')
    .execute();
  const owed = await paid().set({ estado: 'devolucion_pendiente', updated_at: sql`now()` }).returning('pedido_id').execute();
  if (owed.length === 0) return;
  const ids = new Set(owed.map(({ pedido_id }) => pedido_id));
  // Includes the author: the refund is a pending task.
  const notices = pedidos
    .filter(({ id }) => ids.has(id))
    .map(({ id, numero_orden, cliente_nombre }) => ({
      tipo: 'devolucion_pendiente' as const,
      texto: `Reembolso pendiente: el pedido ${numero_orden} (${cliente_nombre}) estaba pagado y se ha cancelado`,
      roles: ['superadmin' as const],
      enlace: `/pedidos/${id}`,
      pedido_id: id,
      mail: true,
    }));
  await notify(tx, ...notices);
}

/** Condition on `pagos`: waits for its refund because its order was cancelled, not because a delivery was taken back. */
const OF_CANCELLED = sql<boolean>`(estado = 'devolucion_pendiente' AND NOT al_entregar)`;

type Withheld = { waiting: number; refunded: number };
/** Returns what of a cancelled order's payments waits for its refund, and what was refunded, in cents. */
export async function refundsOfCancelled(tx: Tx, pedido_id: string): Promise<Withheld> {
  const { rows } = await sql<{ waiting: string; refunded: string }>`
    SELECT coalesce(sum(importe_cents - devuelto_cents) FILTER (WHERE ${OF_CANCELLED}), 0) AS waiting,
      coalesce(sum(CASE estado WHEN 'devuelto' THEN importe_cents ELSE devuelto_cents END) FILTER (WHERE NOT al_entregar), 0) AS refunded
    FROM pagos WHERE pedido_id = ${pedido_id} AND estado <> 'anulado'`.execute(tx);
  return { waiting: Number(rows[0]?.waiting ?? 0), refunded: Number(rows[0]?.refunded ?? 0) };
}

/** Takes `oweRefunds` back for a reopened, locked order: payments that wait for their refund count again. */
export async function countPaymentsAgain(tx: Tx, pedido_id: string): Promise<void> {
  await tx
    .updateTable('pagos')
    .set({ estado: 'pagado', updated_at: sql`now()` })
    .where('pedido_id', '=', pedido_id)
    .where(OF_CANCELLED)
    .execute();
}
