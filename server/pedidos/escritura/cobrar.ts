import { sql } from 'kysely';
import type { BodyOut } from '../../../contract/kit/endpoint.ts';
import { MAX_EFECTIVO, METODO_PAGO_LABEL } from '../../../contract/payments/fields.ts';
import type { anotarPago } from '../../../contract/payments/payments.ts';
import { EFECTIVO_VENTA, overCash } from '../../../contract/pedidos/contra-reembolso.ts';
import type { CreatePedido } from '../../../contract/pedidos/pedidos.ts';
import { type Actor, can, SISTEMA } from '../../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { conflict, DomainError, forbidden, invalid } from '../../kit/errors.ts';
import { inEuros, toCents } from '../../kit/money.ts';
import { isFuture } from '../../settings/zone.ts';
import { recordAll, recordChange } from '../historia/history.ts';
import { lockPedidos, type Outcomes, type PedidoRow } from '../lectura/row.ts';
import { refuseCashSale } from '../pagos/cash-limit.ts';
import { type Payment, recordPagos } from '../pagos/pagos.ts';
import { attemptEach, onlyOutcome, replaceOutcomes } from '../pasos/outcomes.ts';
import { applyTransitions, type Move } from '../pasos/transition.ts';

/** Books a payment on a locked order, which may leave `pendiente_pago`. Throws 409 if nothing is due or frozen, 422 for too much. */
export const takePayment = async (tx: Tx, actor: Actor, row: PedidoRow, pago: Payment, words: string): Promise<PedidoRow> =>
  onlyOutcome(
    await takePayments(
      tx,
      actor,
      new Map([[row.id, row]]),
      () => pago,
      () => words,
    ),
  );

/** Like `takePayment` for many locked orders; a refusal affects only its own order. */
export async function takePayments(
  tx: Tx,
  actor: Actor,
  outcomes: Outcomes,
  pagoOf: (row: PedidoRow) => Payment,
  wordsOf: (row: PedidoRow) => string,
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
      .map(({ row, pago }) => [row, { input: { name: 'pagar', referencia: pago.referencia || wordsOf(row) }, pago }]),
  );
  replaceOutcomes(outcomes, await applyTransitions(tx, actor, [...moves.keys()], (row) => moves.get(row) as Move));
  const noted = taken.filter(({ moves }) => !moves);
  if (noted.length === 0) return outcomes;
  await recordPagos(
    tx,
    noted.map(({ row, pago }) => ({ pedido: row, pago: { ...pago, estado: 'pagado' } })),
  );
  // A key that may only create orders reads none.
  const updated = await lockPedidos(
    tx,
    SISTEMA,
    noted.map(({ row }) => row.id),
  );
  const changes = noted.flatMap(({ row, pago }) => {
    const after = updated.get(row.id);
    // equivalent false: this transaction has locked them before
    if (!after || after instanceof DomainError) return [];
    const nota = [inEuros(pago.importe_cents), wordsOf(row), pago.referencia].filter(Boolean).join(' · ');
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
  const taken = await takePayments(tx, actor, outcomes, pagoOf, () => METODO_PAGO_LABEL[metodo]);
  if (metodo === 'efectivo') {
    const paid = [...taken].flatMap(([id, outcome]) => (outcome instanceof DomainError ? [] : [id]));
    await refuseCashSale(tx, paid, () => 'metodo');
  }
  return taken;
}

/** Records that the customer reported a transfer. The order must be locked. */
export async function recordTransfer(tx: Tx, row: PedidoRow): Promise<void> {
  await tx.updateTable('pedidos').set({ transferencia_avisada_at: sql`now()` }).where('id', '=', row.id).execute();
  await recordChange(tx, SISTEMA, { accion: 'El cliente dice que ha hecho la transferencia', action: 'update' }, row, row);
}

/* New orders of which another program, such as a web shop, has already collected all or a part (decisions 089 and 139). */

type Pago = NonNullable<CreatePedido['pago']>;
type Order = { contra_reembolso: boolean; total_cents: number };

const collected = ({ importe }: Pago, total_cents: number) => (importe == null ? total_cents : toCents(importe));

/**
 * Returns how much of a new order is paid elsewhere. Throws 403; 422 for more than the total or nothing, for cash beyond the legal limit, or
 * for an order that is both paid whole and to be paid on delivery.
 */
export function paidElsewhere(
  actor: Actor,
  pago: Pago | null | undefined,
  { contra_reembolso, total_cents }: Order,
): 'all' | 'part' | 'nothing' {
  if (!pago) return 'nothing';
  if (!can(actor, 'pedido:create-paid')) throw forbidden('pedido:create-paid');
  const cents = collected(pago, total_cents);
  if (cents > total_cents) throw invalid('pago.importe', `El pedido suma ${inEuros(total_cents)} y dices que se pagaron ${inEuros(cents)}`);
  if (cents === 0 && total_cents > 0) throw invalid('pago.importe', 'Indica cuánto se ha pagado');
  if (contra_reembolso && cents === total_cents)
    throw invalid('pago', 'Un pedido contra reembolso se paga al recibirlo: no puede estar ya pagado');
  if (pago.metodo === 'efectivo' && overCash(total_cents))
    throw invalid('pago.metodo', `No se puede cobrar en efectivo ${inEuros(toCents(MAX_EFECTIVO))} o más`);
  return cents < total_cents ? 'part' : 'all';
}

type Paid = { row: PedidoRow; pago: Pago; fila?: number };

/** Books the payments of new orders; those paid whole become `pendiente`. Throws 422 for a future day, or cash beyond the legal limit of a sale. */
export async function payElsewhere(tx: Tx, actor: Actor, paid: readonly Paid[]): Promise<Outcomes> {
  for (const { pago, fila } of paid)
    if (pago.fecha && (await isFuture(tx, pago.fecha)))
      throw invalid(fila === undefined ? 'pago.fecha' : `filas.${fila}.pago.fecha`, 'Ese día todavía no ha llegado');
  const pagoOf = new Map(paid.map(({ row, pago }) => [row.id, pago]));
  const outcomes: Outcomes = new Map(paid.map(({ row }) => [row.id, row]));
  const due = new Map(paid.filter(({ row }) => row.precio_total_cents > 0).map(({ row }) => [row.id, row]));
  const payment = (row: PedidoRow): Payment => {
    const pago = pagoOf.get(row.id) as Pago;
    const { metodo, referencia, fecha } = pago;
    const importe_cents = collected(pago, row.pendiente_cents);
    return { proveedor: metodo, referencia: referencia ?? '', importe_cents, ...(fecha && { fecha }) };
  };
  replaceOutcomes(outcomes, await takePayments(tx, actor, due, payment, (row) => METODO_PAGO_LABEL[(pagoOf.get(row.id) as Pago).metodo]));
  const inCash = paid.filter(({ pago }) => pago.metodo === 'efectivo');
  const filaOf = new Map(inCash.map(({ row, fila }) => [row.id, fila]));
  await refuseCashSale(tx, [...filaOf.keys()], (id) => {
    const fila = filaOf.get(id);
    return fila === undefined ? 'pago.metodo' : `filas.${fila}.pago.metodo`;
  });
  return outcomes;
}
