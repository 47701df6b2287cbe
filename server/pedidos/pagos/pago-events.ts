import type { EstadoPago } from '../../../contract/payments/fields.ts';
import type { Tx } from '../../db/open.ts';
import { toEuros } from '../../kit/money.ts';
import { queueWebhooks } from '../../webhooks/queue.ts';

/* Webhook events of payments and refunds. They leave out reference and note, where people can write anything. */

type Row = { id: string; pedido_id: string; proveedor: string; estado: EstadoPago; importe_cents: number; fecha: string };

/** Estados in which money has arrived. */
const ARRIVED: readonly EstadoPago[] = ['pagado', 'tardio', 'duplicado'];

const aboutPago = ({ importe_cents, id, pedido_id, proveedor, estado, fecha }: Row) => ({
  pago: { id, pedido_id, proveedor, estado, importe: toEuros(importe_cents), fecha },
});

/** Queues the events of payments whose money has arrived; begun and declined payments have no event. */
export async function queuePagos(tx: Tx, rows: readonly Row[]): Promise<void> {
  const arrived = rows.filter(({ estado }) => ARRIVED.includes(estado));
  if (arrived.length) await queueWebhooks(tx, ['pago.anotado'], () => arrived.map(aboutPago));
}

export const notifyOfAnnulled = (tx: Tx, row: Row): Promise<void> =>
  queueWebhooks(tx, ['pago.anulado'], () => [aboutPago({ ...row, estado: 'anulado' })]);

type Refund = { pedido_id: string; pago_id?: string | null; devolucion_id?: string | null; cents: number };

/** Queues the event of a refund in cents, negative if a refund is undone; nothing for 0. */
export async function notifyOfRefund(tx: Tx, { pedido_id, pago_id = null, devolucion_id = null, cents }: Refund): Promise<void> {
  if (cents !== 0)
    await queueWebhooks(tx, ['pago.reembolsado'], () => [{ reembolso: { pedido_id, pago_id, devolucion_id, importe: toEuros(cents) } }]);
}
