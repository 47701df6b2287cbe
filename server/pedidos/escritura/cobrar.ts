import { sql } from 'kysely';
import type { BodyOut } from '../../../contract/kit/endpoint.ts';
import { METODO_PAGO_LABEL } from '../../../contract/payments/fields.ts';
import type { anotarPago } from '../../../contract/payments/payments.ts';
import { EFECTIVO_VENTA, overCash } from '../../../contract/pedidos/contra-reembolso.ts';
import { type Actor, SISTEMA } from '../../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { conflict, DomainError, invalid } from '../../kit/errors.ts';
import { inEuros, toCents } from '../../kit/money.ts';
import { isFuture } from '../../settings/zone.ts';
import { record, recordAll } from '../historia/history.ts';
import { lockPedidos, type Outcomes, type PedidoRow } from '../lectura/row.ts';
import { refuseCashSale } from '../pagos/cash-limit.ts';
import { type Payment, recordPagos } from '../pagos/pagos.ts';
import { attemptEach, onlyOutcome, replaceOutcomes } from '../pasos/outcomes.ts';
import { applyTransitions, type Move } from '../pasos/transition.ts';

/** Books a payment on a locked order, which may leave `pendiente_pago`. Throws 409 if nothing is due or frozen, 422 for too much. */
export const takePayment = async (tx: Tx, actor: Actor, row: PedidoRow, pago: Payment, words: string): Promise<PedidoRow> =>
  onlyOutcome(await takePayments(tx, actor, new Map([[row.id, row]]), () => pago, words));

/** Like `takePayment` for many locked orders; a refusal affects only its own order. */
async function takePayments(
  tx: Tx,
  actor: Actor,
  outcomes: Outcomes,
  pagoOf: (row: PedidoRow) => Payment,
  words: string,
): Promise<Outcomes> {
  const taken = await attemptEach(outcomes, (row) => {
    const pago = pagoOf(row);
    if (row.deleted_at) throw conflict('El pedido está eliminado: restáuralo antes', 'eliminado');
    if (row.estado === 'cancelado') throw conflict('Un pedido cancelado no se puede cobrar');
    const due = row.pendiente_cents;
    if (due === 0 && row.estado !== 'pendiente_pago') throw conflict('El pedido ya está pagado', 'already_paid');
    if (pago.importe_cents > due) throw invalid('importe', `Como máximo lo que falta por pagar: ${inEuros(due)}`);
    return { row, pago, moves: row.estado === 'pendiente_pago' && pago.importe_cents === due };
  });
  const moves = new Map<PedidoRow, Move>(
    taken
      .filter(({ moves }) => moves)
      .map(({ row, pago }) => [row, { input: { name: 'pagar', referencia: pago.referencia || words }, pago }]),
  );
  replaceOutcomes(outcomes, await applyTransitions(tx, actor, [...moves.keys()], (row) => moves.get(row) as Move));
  const noted = taken.filter(({ moves }) => !moves);
  if (noted.length === 0) return outcomes;
  await recordPagos(
    tx,
    noted.map(({ row, pago }) => ({ pedido: row, pago: { ...pago, estado: 'pagado' } })),
  );
  const updated = await lockPedidos(
    tx,
    actor,
    noted.map(({ row }) => row.id),
  );
  const changes = noted.flatMap(({ row, pago }) => {
    const after = updated.get(row.id);
    if (!after || after instanceof DomainError) return [];
    const nota = [inEuros(pago.importe_cents), words, pago.referencia].filter(Boolean).join(' · ');
    return [{ step: { accion: 'Pago anotado', action: 'update' as const, nota }, before: row, after }];
  });
  await recordAll(tx, actor, changes);
  replaceOutcomes(outcomes, updated);
  return outcomes;
}

type Noted = BodyOut<typeof anotarPago>;
type Note = Pick<Noted, 'metodo' | 'referencia'> & Partial<Noted>;

/** Books a payment in euros (default: all that is due, today). Throws 404, 409 if nothing is due, 422 for an invalid amount, a future day or too much cash. */
export const notePago = (db: Db, actor: Actor, id: string, note: Note): Promise<PedidoRow> =>
  transact(db, async (tx) => onlyOutcome(await noteAll(tx, actor, [id], note)));

/** Like `notePago` for many orders; a refusal affects only its own order. Throws 422 for all if a sale with cash reaches the legal limit. */
export async function noteAll(
  tx: Tx,
  actor: Actor,
  ids: readonly string[],
  { metodo, importe, fecha, referencia }: Note,
): Promise<Outcomes> {
  const outcomes = await lockPedidos(tx, actor, ids);
  const amountOf = (row: PedidoRow) => (importe === undefined ? row.pendiente_cents : toCents(importe));
  const future = !!fecha && (await isFuture(tx, fecha));
  await attemptEach(outcomes, (row) => {
    if (importe === 0) throw invalid('importe', 'Indica cuánto se ha pagado');
    if (future) throw invalid('fecha', 'Ese día todavía no ha llegado');
    if (metodo === 'efectivo' && overCash(row.precio_total_cents)) throw invalid('metodo', EFECTIVO_VENTA);
  });
  const pagoOf = (row: PedidoRow) => ({
    proveedor: metodo,
    referencia: referencia ?? '',
    importe_cents: amountOf(row),
    ...(fecha && { fecha }),
  });
  const taken = await takePayments(tx, actor, outcomes, pagoOf, METODO_PAGO_LABEL[metodo]);
  if (metodo === 'efectivo') {
    const paid = [...taken].flatMap(([id, outcome]) => (outcome instanceof DomainError ? [] : [id]));
    await refuseCashSale(tx, paid, () => 'metodo');
  }
  return taken;
}

/** Records that the customer reported a transfer. The order must be locked. */
export async function recordTransfer(tx: Tx, row: PedidoRow): Promise<void> {
  await tx.updateTable('pedidos').set({ transferencia_avisada_at: sql`now()` }).where('id', '=', row.id).execute();
  await record(tx, SISTEMA, { accion: 'El cliente dice que ha hecho la transferencia', action: 'update' }, row, row);
}
