import { sql } from 'kysely';
import { POR_DEVOLVER } from '../../../contract/payments/fields.ts';
import { SISTEMA } from '../../../contract/policy/policy.ts';
import type { Tx } from '../../db/open.ts';
import { inEuros } from '../../kit/money.ts';
import { record } from '../historia/history.ts';
import { COLUMNS, type PedidoRow } from '../lectura/row.ts';
import { notifyOfRefund } from './pago-events.ts';

/* Money of a payment that its provider or the bank has given back without being told by this program. */

type Named = { proveedor: string; externo_id: string };

/** Adds the provider's name of the money to a payment, by which refunds and disputes find the payment. */
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

export type Paid = NonNullable<Awaited<ReturnType<typeof lockPaid>>>;

/** Cents of a payment whose return is noted already: at the payment, or as refunds of the order's returns. */
export const notedBack = ({ pago, pedido }: Paid): number =>
  pago.estado === 'devuelto' ? pago.importe_cents : pago.devuelto_cents + (pago.estado === 'pagado' ? pedido.reembolsado_cents : 0);

/** Takes `cents` from a payment of a locked order, which then counts for the rest; writes history and webhook. Returns the order afterwards. */
export async function takeBack(tx: Tx, { pago, pedido }: Paid, cents: number, accion: string): Promise<PedidoRow> {
  const devuelto_cents = pago.devuelto_cents + cents;
  const closes = POR_DEVOLVER.includes(pago.estado) && devuelto_cents === pago.importe_cents;
  // A refund that was owed becomes `devuelto` as a whole, as when a person notes it.
  const set = closes ? { estado: 'devuelto' as const, nota: accion } : { devuelto_cents };
  await tx
    .updateTable('pagos')
    .set({ ...set, updated_at: sql`now()` })
    .where('id', '=', pago.id)
    .execute();
  await notifyOfRefund(tx, { pedido_id: pedido.id, pago_id: pago.id, cents });
  const after = await tx.selectFrom('pedidos').select(COLUMNS).where('id', '=', pedido.id).executeTakeFirstOrThrow();
  await record(tx, SISTEMA, { accion, action: 'update', nota: inEuros(cents) }, pedido, after);
  return after;
}
