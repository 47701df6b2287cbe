import { sql } from 'kysely';
import type { BodyOut } from '../../../contract/kit/endpoint.ts';
import type { reembolsarSobra } from '../../../contract/payments/payments.ts';
import { overpaid } from '../../../contract/pedidos/money.ts';
import { type Actor, rolesOf } from '../../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { conflict, invalid } from '../../kit/errors.ts';
import { inEuros, toCents } from '../../kit/money.ts';
import { notify } from '../../notifications/notify.ts';
import { record } from '../historia/history.ts';
import { lockPedido, type PedidoRow } from '../lectura/row.ts';
import { tellOfRefund } from './pago-events.ts';

/* Money paid beyond the total, which makes a refund due (decision 086). */

/** Returns the cents paid beyond the total and not refunded; the rest of `por_reembolsar_cents` is for undelivered goods. */
export const overpaidOf = ({ por_reembolsar_cents, pagado_cents, precio_total_cents }: PedidoRow): number =>
  overpaid({ due: por_reembolsar_cents, paid: pagado_cents, total: precio_total_cents });

/** Notifies the office if a change of the order has increased the refund due for overpayment. */
export async function tellOverpaid(tx: Tx, before: PedidoRow, after: PedidoRow): Promise<void> {
  if (overpaidOf(after) <= overpaidOf(before)) return;
  const { id, numero_orden, cliente_nombre } = after;
  await notify(tx, {
    tipo: 'devolucion_pendiente',
    texto: `Reembolso pendiente: se ha pagado más de lo que cuesta el pedido ${numero_orden} (${cliente_nombre})`,
    // Includes the author: the refund is a pending task.
    roles: [...rolesOf('pago:manage')],
    enlace: `/pedidos/${id}`,
    pedido_id: id,
    mail: true,
  });
}

/**
 * Notes a refund, in euros, of money paid beyond the total, by any payment method. Takes the money from the latest payments, which then count
 * only for their remainder. Throws 404, 409 if nothing is owed, 422 for more than is owed.
 */
export async function refundOverpaid(db: Db, actor: Actor, id: string, input: BodyOut<typeof reembolsarSobra>): Promise<PedidoRow> {
  return transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    const owed = overpaidOf(row);
    if (owed === 0) throw conflict('En este pedido no sobra nada por reembolsar');
    const cents = toCents(input.importe);
    if (cents === 0) throw invalid('importe', 'Indica cuánto se ha reembolsado');
    if (cents > owed) throw invalid('importe', `Como máximo lo que sobra: ${inEuros(owed)}`);
    const { referencia } = input;
    await takeFromPayments(tx, id, cents, referencia);
    await tellOfRefund(tx, { pedido_id: id, cents });
    const after = await lockPedido(tx, actor, id);
    const nota = [inEuros(cents), referencia].filter(Boolean).join(' · ');
    await record(tx, actor, { accion: 'Reembolso anotado', action: 'update', nota }, row, after);
    return after;
  });
}

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
