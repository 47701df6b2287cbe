import { sql } from 'kysely';
import type { EstadoPago } from '../../contract/payments.ts';
import type { Tx } from '../db/open.ts';
import { notify } from '../notifications/notify.ts';

/** By whom an order was paid, and what they call the payment. */
export type Paid = { proveedor: string; externo_id?: string };
type Entry = Paid & { estado: EstadoPago; referencia: string; importe_cents: number };

/** Writes a payment of an order; one begun earlier with the same `externo_id` is that payment. Amount in cents. */
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

/** A cancelled order that was paid owes its money: says so to the superadmins, who give it back at the bank. */
export async function oweRefund(tx: Tx, pedido: { id: string; numero_orden: string; cliente_nombre: string }): Promise<void> {
  const owed = await tx
    .updateTable('pagos')
    .set({ estado: 'devolucion_pendiente', updated_at: sql`now()` })
    .where('pedido_id', '=', pedido.id)
    .where('estado', '=', 'pagado')
    .returning('id')
    .execute();
  if (owed.length === 0) return;
  // Whoever cancelled is told too: giving the money back is a task that begins now.
  await notify(tx, {
    tipo: 'devolucion_pendiente',
    texto: `Devolución pendiente: el pedido ${pedido.numero_orden} (${pedido.cliente_nombre}) estaba pagado y se ha cancelado`,
    roles: ['superadmin'],
    enlace: `/pedidos/${pedido.id}`,
    mail: true,
  });
}
