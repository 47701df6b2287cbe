import type { BodyOut } from '../../contract/kit.ts';
import { type anotarPago, MAX_EFECTIVO, METODO_PAGO_LABEL } from '../../contract/payments.ts';
import type { Actor } from '../../contract/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, invalid } from '../kit/errors.ts';
import { inEuros, toCents } from '../kit/money.ts';
import { isFuture } from '../settings/zone.ts';
import { record } from './history.ts';
import { type Payment, recordPago } from './pagos.ts';
import { findPedido, lockPedido, type PedidoRow } from './row.ts';
import { applyTransition } from './transition.ts';

/** Books a payment on a locked order; a completed price ends `pendiente_pago`. Throws 409 if nothing is due, 422 for more. */
export async function takePayment(tx: Tx, actor: Actor, row: PedidoRow, pago: Payment, words: string): Promise<PedidoRow> {
  if (row.deleted_at) throw conflict('El pedido está eliminado: restáuralo antes', 'eliminado');
  if (row.estado === 'cancelado') throw conflict('Un pedido cancelado no se puede cobrar');
  const due = row.pendiente_cents;
  if (due === 0 && row.estado !== 'pendiente_pago') throw conflict('El pedido ya está pagado', 'already_paid');
  if (pago.importe_cents > due) throw invalid('importe', `Como máximo lo que falta por pagar: ${inEuros(due)}`);
  if (row.estado === 'pendiente_pago' && pago.importe_cents === due)
    return applyTransition(tx, actor, row, { name: 'pagar', referencia: pago.referencia || words }, { pago });
  await recordPago(tx, row, { ...pago, estado: 'pagado' });
  const updated = await findPedido(tx, actor, row.id);
  const nota = [inEuros(pago.importe_cents), words, pago.referencia].filter(Boolean).join(' · ');
  await record(tx, actor, { accion: 'Pago anotado', action: 'update', nota }, row, updated);
  return updated;
}

type Noted = BodyOut<typeof anotarPago>;
type Note = Pick<Noted, 'metodo' | 'referencia'> & Partial<Noted>;

/** Books a payment in euros (default: all that is due, today). Throws 409 if nothing is due, 422 for a future day or too much cash. */
export async function notePago(db: Db, actor: Actor, id: string, { metodo, importe, fecha, referencia }: Note): Promise<PedidoRow> {
  return transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    const importe_cents = importe === undefined ? row.pendiente_cents : toCents(importe);
    if (importe === 0) throw invalid('importe', 'Indica cuánto se ha pagado');
    if (fecha && (await isFuture(tx, fecha))) throw invalid('fecha', 'Ese día todavía no ha llegado');
    if (metodo === 'efectivo' && (await cashOf(tx, id)) + importe_cents >= toCents(MAX_EFECTIVO))
      throw invalid('metodo', `No se puede cobrar en efectivo ${inEuros(toCents(MAX_EFECTIVO))} o más`);
    const pago = { proveedor: metodo, referencia: referencia ?? '', importe_cents, ...(fecha && { fecha }) };
    return takePayment(tx, actor, row, pago, METODO_PAGO_LABEL[metodo]);
  });
}

// The legal limit covers all payments of a sale.
async function cashOf(tx: Tx, pedido_id: string): Promise<number> {
  const { cents } = await tx
    .selectFrom('pagos')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<string>('importe_cents'), eb.lit(0)).as('cents'))
    .where('pedido_id', '=', pedido_id)
    .where('proveedor', '=', 'efectivo')
    .where('estado', '=', 'pagado')
    .executeTakeFirstOrThrow();
  return Number(cents);
}
