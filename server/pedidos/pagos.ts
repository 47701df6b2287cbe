import { sql } from 'kysely';
import { type EstadoPago, type Pago, POR_DEVOLVER } from '../../contract/payments.ts';
import type { Actor } from '../../contract/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, notFound } from '../kit/errors.ts';
import { toEuros } from '../kit/money.ts';
import { notify } from '../notifications/notify.ts';
import { record } from './history.ts';
import { findPedido, lockPedido } from './row.ts';

/** The provider of a payment and its id there. */
export type Paid = { proveedor: string; externo_id?: string };
type Entry = Paid & { estado: EstadoPago; referencia: string; importe_cents: number };

/** Records a payment of an order, updating the one begun with the same `externo_id`. Amount in cents. */
export async function recordPago(
  tx: Tx,
  pedido: { id: string },
  { estado, referencia, importe_cents, proveedor, externo_id }: Entry,
): Promise<void> {
  await tx
    .insertInto('pagos')
    .values({ pedido_id: pedido.id, proveedor, referencia, importe_cents, estado, externo_id: externo_id ?? null })
    .onConflict((conflict) =>
      conflict.columns(['proveedor', 'externo_id']).doUpdateSet({ estado, referencia, importe_cents, updated_at: sql`now()` }),
    )
    .execute();
}

/** Marks the payments of a cancelled order for refund and notifies the superadmins, who refund at the bank. */
export async function oweRefund(tx: Tx, pedido: { id: string; numero_orden: string; cliente_nombre: string }): Promise<void> {
  const owed = await tx
    .updateTable('pagos')
    .set({ estado: 'devolucion_pendiente', updated_at: sql`now()` })
    .where('pedido_id', '=', pedido.id)
    .where('estado', '=', 'pagado')
    .returning('id')
    .execute();
  if (owed.length === 0) return;
  // Whoever cancelled is notified too: the refund is a task still to be done.
  await notify(tx, {
    tipo: 'devolucion_pendiente',
    texto: `Devolución pendiente: el pedido ${pedido.numero_orden} (${pedido.cliente_nombre}) estaba pagado y se ha cancelado`,
    roles: ['superadmin'],
    enlace: `/pedidos/${pedido.id}`,
    mail: true,
  });
}

/** Marks a payment begun at `proveedor` as refused there. */
export async function rejectPago(tx: Tx, { proveedor, externo_id }: Paid & { externo_id: string }): Promise<void> {
  await tx
    .updateTable('pagos')
    .set({ estado: 'rechazado', updated_at: sql`now()` })
    .where('proveedor', '=', proveedor)
    .where('externo_id', '=', externo_id)
    .where('estado', '=', 'iniciado')
    .execute();
}

/** The payments of an order, newest first, without those only begun. */
export async function listPagos(db: Db, actor: Actor, pedido: string): Promise<Omit<Pago, 'proveedor_nombre'>[]> {
  const { id } = await findPedido(db, actor, pedido);
  const rows = await db
    .selectFrom('pagos')
    .select(['id', 'proveedor', 'referencia', 'estado', 'importe_cents', 'created_at', 'updated_at', 'nota'])
    .where('pedido_id', '=', id)
    .where('estado', '!=', 'iniciado')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(100)
    .execute();
  return rows.map(({ importe_cents, ...row }) => ({ ...row, importe: toEuros(importe_cents) }));
}

/** Marks a payment as refunded. Throws 409 when no refund is pending. */
export async function markRefunded(db: Db, actor: Actor, id: string, nota: string | null): Promise<void> {
  await transact(db, async (tx) => {
    const known = await tx.selectFrom('pagos').select('pedido_id').where('id', '=', id).executeTakeFirst();
    if (!known) throw notFound();
    const pedido = await lockPedido(tx, actor, known.pedido_id);
    const done = await tx
      .updateTable('pagos')
      .set({ estado: 'devuelto', nota, updated_at: sql`now()` })
      .where('id', '=', id)
      .where('estado', 'in', POR_DEVOLVER)
      .returning('id')
      .executeTakeFirst();
    if (!done) throw conflict('Este pago no está pendiente de devolver');
    await record(tx, actor, { accion: 'Pago devuelto', action: 'update', nota }, pedido, pedido);
  });
}
