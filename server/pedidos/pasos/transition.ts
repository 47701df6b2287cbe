import { type RawBuilder, sql } from 'kysely';
import type { BodyOut } from '../../../contract/kit/endpoint.ts';
import { EN_MANOS, ESTADO, type Estado } from '../../../contract/pedidos/estados.ts';
import { TRANSITIONS, type TransitionInput, type TransitionName, transitionsTo } from '../../../contract/pedidos/flow.ts';
import type { InputName } from '../../../contract/pedidos/inputs.ts';
import type { MetodoEntrega } from '../../../contract/pedidos/metodos.ts';
import { type EstadoInput, type assignTransportista as endpoint, WITHDRAWN } from '../../../contract/pedidos/pedidos.ts';
import { type Actor, can, mayEver, SISTEMA } from '../../../contract/policy/policy.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import type { Anunciada, MovedEstado, Overwritten } from '../../db/schema.ts';
import { type Earned, earnedByAttempt, earnedByDelivery } from '../../ganancias/ledger.ts';
import { conflict, DomainError, forbidden, invalid, notFound, refuseStale } from '../../kit/errors.ts';
import { recordAttempt } from '../historia/attempts.ts';
import { type Change, type ChangedColumns, changeAll, changePedido } from '../historia/change.ts';
import { type Happened, happenedAt } from '../historia/happened.ts';
import { notifyOldAddress } from '../historia/history.ts';
import { promisedDate } from '../lectura/promised.ts';
import { withdrawalFrom } from '../lectura/reassigned.ts';
import { COLUMNS, lockPedido, lockPedidos, type Outcomes, type PedidoRow } from '../lectura/row.ts';
import { adjustStockOf, linesByOrder } from '../lineas/lineas.ts';
import { offeredIn } from '../lineas/zonas.ts';
import { bookCollected } from '../pagos/collect.ts';
import { oweRefunds } from '../pagos/overpaid.ts';
import { type Payment, recordPagos } from '../pagos/pagos.ts';
import { announcedPhotos, deliveryNote, notifyUnchecked, recordEntrega } from '../pruebas/entrega.ts';
import { carrierLocked, noCarrier, personLocked } from './carrier.ts';
import { attemptEach, onlyOutcome, replaceOutcomes } from './outcomes.ts';
import { leaveOut, type Parts, partsSet, settleParts } from './partes.ts';
import { computeStep, refuseStaying, refuseStep } from './step.ts';

/** Moves an order to an estado (specification, section 7). Throws 404, 403, 409 if stale or impossible, 422 if incomplete or ambiguous. */
export async function setEstado(db: Db, actor: Actor, id: string, body: EstadoInput): Promise<PedidoRow> {
  const done = await transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    const withdrawal = await withdrawalFrom(tx, actor, row);
    if (withdrawal !== undefined) throw conflict(withdrawal, WITHDRAWN);
    refuseStale(row, body.version, 'este pedido');
    const [name, other] = body.paso ? [leadingTo(body.estado, body.paso)] : transitionsTo(actor, row, body.estado);
    refuseStep(actor, row, name, body.estado);
    if (other) throw invalid('paso', `Hay más de un paso de «${ESTADO[row.estado].label}» a «${ESTADO[body.estado].label}»: indica cuál`);
    const happened = body.ocurrido === undefined ? undefined : await ownTime(tx, actor, row, body.ocurrido);
    const input = inputFrom(name, body);
    if (input.name !== 'completar') {
      if (body.no_entregado?.length) throw invalid('no_entregado', 'Solo una entrega deja algo sin entregar');
      const photos = input.name === 'fallar' ? await announcedPhotos(tx, body) : undefined;
      const moved = await applyTransition(tx, actor, row, input, { happened, photos });
      await notifyOldAddress(tx, actor, moved, name, body.direccion_vista);
      return moved;
    }
    // A wrong PIN is counted, so its transaction must commit.
    const lacks = await recordEntrega(tx, actor, row, body, happened);
    if (lacks instanceof DomainError) return lacks;
    const parts = await leaveOut(tx, actor, row, body.no_entregado);
    const completed = await applyTransition(tx, actor, row, { ...input, motivo: deliveryNote(body, lacks) }, { happened, parts });
    await notifyOldAddress(tx, actor, completed, name, body.direccion_vista);
    if (happened) await notifyUnchecked(tx, actor, completed, happened.at, lacks);
    return completed;
  });
  if (done instanceof DomainError) throw done;
  return done;
}

// Accepts a time from carriers only, because only they work without coverage.
function ownTime(tx: Tx, actor: Actor, row: PedidoRow, ocurrido: string): Promise<Happened> {
  if (!mayEver(actor, 'paso:own-time')) throw invalid('ocurrido', 'Solo un transportista dice cuándo ocurrió un paso');
  return happenedAt(tx, row, ocurrido);
}

function leadingTo(estado: Estado, paso: TransitionName): TransitionName {
  const { to, label } = TRANSITIONS[paso];
  if (to !== estado) throw invalid('paso', `El paso «${label}» lleva a «${ESTADO[to].label}», no a «${ESTADO[estado].label}»`);
  return paso;
}

/** Lets a carrier take an available order. Throws 404, 409 if another carrier was faster or the order is outside the carrier's zones. */
export async function takePedido(db: Db, actor: Actor, id: string, empresa_transporte: MetodoEntrega | null): Promise<PedidoRow> {
  const { id: carrier } = actor;
  if (carrier === null) throw notFound();
  return transact(db, async (tx) => {
    // Ignores the carrier's scope, to tell a taken order from a missing one.
    const row = await tx
      .with('carrier', (query) => personLocked(query, carrier, 'transportista'))
      .selectFrom('pedidos')
      .select([...COLUMNS, (eb) => eb.selectFrom('carrier').select('full_name').as('taker'), offeredIn(actor).as('offered')])
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!row || row.estado === 'pendiente_pago') throw notFound();
    if (!can(actor, 'pedido:take', row)) {
      if (row.transportista_id === carrier) throw conflict('Ya tienes asignado este pedido', 'taken');
      if (row.en_empresa) throw conflict(`Este pedido lo lleva ${row.en_empresa}`, 'taken');
      throw conflict(row.transportista_id ? 'Otro transportista ya ha tomado este pedido' : 'Este pedido ya no está disponible', 'taken');
    }
    if (!row.taker) throw noCarrier();
    if (!row.offered) throw conflict('Este pedido no es de tus zonas de reparto', 'taken');
    const taken = { transportista_id: carrier, transportista_nombre: row.taker };
    return applyTransition(tx, actor, row, { name: 'tomar', ...taken, empresa_transporte });
  });
}

type More = { pago?: Payment; parts?: Parts | undefined; photos?: readonly Anunciada[] | undefined };

/** Like `applyTransitions` for one order. Throws 409, 403. */
export const applyTransition = async (
  tx: Tx,
  actor: Actor,
  row: PedidoRow,
  input: TransitionInput,
  { happened, ...more }: More & { happened?: Happened | undefined } = {},
): Promise<PedidoRow> => onlyOutcome(await applyTransitions(tx, actor, [row], () => ({ input, ...more }), happened));

/** Moves an order out of `pendiente_pago` if nothing is left to pay, after a payment or a lower price. */
export const releaseIfPaid = async (tx: Tx, row: PedidoRow): Promise<PedidoRow> =>
  row.estado === 'pendiente_pago' && row.pendiente_cents === 0
    ? applyTransition(tx, SISTEMA, row, { name: 'pagar', referencia: 'No queda nada por pagar' })
    : row;

/** A step of an order. `pago` defaults to a manual payment of all that is due; `parts` are undelivered goods. */
export type Move = More & { input: TransitionInput };

/** Makes the same step of many locked orders; no other code changes an estado. A refusal, 409 or 403, affects only its own order. */
export async function applyTransitions(
  tx: Tx,
  actor: Actor,
  rows: readonly PedidoRow[],
  moveOf: (row: PedidoRow) => Move,
  happened?: Happened,
): Promise<Outcomes> {
  const at = happened ? sql<string>`${happened.at}::timestamptz` : sql<string>`now()`;
  const later = promisedDate();
  const outcomes: Outcomes = new Map(rows.map((row) => [row.id, row]));
  const moves = await attemptEach(outcomes, async (row) => {
    const move = moveOf(row);
    const planned = computeStep(row, move.input, actor, at, later);
    return {
      ...move,
      ...planned,
      row,
      collected: await bookCollected(tx, row, move.input, { at, less: move.parts?.cents ?? 0, by: actor }),
    };
  });
  const [first] = moves;
  if (!first) return outcomes;
  // Books payments before the update, so that the updated rows include them.
  await recordPagos(tx, moves.flatMap(paidBy));
  await oweRefunds(
    tx,
    moves.filter(({ input }) => input.name === 'cancelar').map(({ row }) => row),
  );
  const changes: Change[] = [];
  for (const { row, input, set, accion, nota, parts, photos, collected } of moves) {
    const waits = input.name === 'fallar' ? await recordAttempt(tx, actor, row, { ...input, photos }, at) : {};
    changes.push({
      row,
      set: { ...set, ...waits, ...(parts && partsSet(row, parts)), estado: set.estado as MovedEstado },
      step: {
        accion,
        action: 'update',
        nota: [nota, parts?.nota, collected].filter(Boolean).join('. ') || null,
        happened,
        ...(input.name === 'completar' && { antes: overwrittenBy(row) }),
      },
    });
  }
  const { name } = first.input;
  replaceOutcomes(outcomes, await changeAll(tx, actor, changes, (moved) => earnedBy(actor, name, moved, at)));
  // Returns the units last, because that blocks orders of the same product until commit.
  await returnUnits(
    tx,
    actor,
    moves.filter(({ returned }) => returned).map(({ row }) => row),
  );
  for (const { row, parts } of moves) {
    const updated = outcomes.get(row.id);
    if (parts && updated && !(updated instanceof DomainError)) await settleParts(tx, actor, updated, parts);
  }
  return outcomes;
}

// Everything that a delivery overwrites and that nothing else holds; `motivo` is the last attempt's.
const overwrittenBy = (row: PedidoRow): Overwritten => {
  const { metodo_entrega, numero_seguimiento, empresa_transporte, incidencia_at, en_empresa, en_empresa_at, iva_regimen } = row;
  return { metodo_entrega, numero_seguimiento, empresa_transporte, incidencia_at, en_empresa, en_empresa_at, iva_regimen };
};

type Back = { accion: string; to: Estado; set: ChangedColumns; deshace: string; nota: string | null; happened?: Happened | undefined };

/**
 * Returns a locked order to the estado before its last step, which `deshace` names in the history. The caller has checked the permission
 * and written the counter-entries.
 */
export const moveBack = (tx: Tx, actor: Actor, row: PedidoRow, { to, set, ...step }: Back): Promise<PedidoRow> =>
  changePedido(tx, actor, row, { ...set, estado: to as MovedEstado }, { ...step, action: 'update' });

function paidBy({ row, input, pago }: Move & { row: PedidoRow }) {
  if (input.name !== 'pagar') return [];
  const manual = { proveedor: 'manual', referencia: input.referencia, importe_cents: row.pendiente_cents };
  const made = pago ?? manual;
  // A free order has no payment.
  return made.importe_cents > 0 ? [{ pedido: row, pago: { ...made, estado: 'pagado' as const } }] : [];
}

function earnedBy(actor: Actor, name: TransitionName, orders: readonly PedidoRow[], at: RawBuilder<string>): Earned | undefined {
  if (name === 'completar') return earnedByDelivery(orders, at);
  // Pays nothing for failures made by the program, which fails only deliveries of deleted carriers.
  return name === 'fallar' && actor.id !== null ? earnedByAttempt(orders, at) : undefined;
}

/** Returns the units of locked orders to the stock; call it last. */
export async function returnUnits(tx: Tx, actor: Actor, rows: readonly PedidoRow[]): Promise<void> {
  const ids = rows.filter(({ unidades_retenidas }) => unidades_retenidas > 0).map(({ id }) => id);
  if (ids.length === 0) return;
  const lines = await linesByOrder(tx, ids);
  await adjustStockOf(
    tx,
    actor,
    ids.map((id) => ({ id, before: lines.get(id) ?? [] })),
    'devolucion',
  );
}

// Builds the input of any transition except assigning, which has its own endpoint.
function inputFrom(name: TransitionName, body: EstadoInput): TransitionInput {
  for (const [field, missing] of Object.entries(TRANSITIONS[name].input)) {
    if (missing && !body[field as InputName]) throw invalid(field, missing);
  }
  const { ocurrido: _, no_entregado: __, direccion_vista: ___, ...input } = body;
  return { ...input, name } as TransitionInput;
}

type Input = BodyOut<typeof endpoint>;

/** Assigns a carrier; null returns an `asignado` order to `pendiente` (design, section 4.9). Throws 404, 403, 409, 422 for an inactive carrier. */
export const assignTransportista = (db: Db, actor: Actor, id: string, input: Input): Promise<PedidoRow> =>
  transact(db, async (tx) => onlyOutcome(await assignAll(tx, actor, [id], input)));

/** Like `assignTransportista` for many orders; a refusal affects only its own order. */
export async function assignAll(tx: Tx, actor: Actor, ids: readonly string[], input: Input): Promise<Outcomes> {
  const { transportista_id } = input;
  // Locks the carrier before the orders, as a rename does, to avoid deadlocks.
  const carrier = transportista_id === null ? undefined : await carrierLocked(tx, transportista_id);
  const outcomes = await lockPedidos(tx, actor, ids);
  const carried: Change[] = [];
  const moved = new Map<PedidoRow, Move>();
  await attemptEach(outcomes, (row) => {
    if (!can(actor, 'pedido:assign', row))
      throw row.deleted_at ? conflict('El pedido está eliminado: restáuralo antes', 'eliminado') : forbidden('pedido:assign');
    refuseStale(row, input.version, 'este pedido');
    if (row.estado === 'pendiente_pago') throw conflict('El pedido está sin pagar: márcalo como pagado antes de asignarlo', 'estado');
    const empresa_transporte = input.empresa_transporte ?? row.empresa_transporte;
    if (transportista_id === null) {
      if (row.estado === 'pendiente') carried.push(...carry(row, { ...NOBODY, empresa_transporte }));
      else moved.set(row, { input: { name: 'devolver', empresa_transporte } });
      return;
    }
    if (!carrier) throw noCarrier();
    if (row.transportista_id !== carrier.transportista_id) refuseStaying(row);
    if (EN_MANOS.includes(row.estado)) carried.push(...carry(row, { ...carrier, empresa_transporte }));
    else moved.set(row, { input: { name: 'asignar', ...carrier, empresa_transporte } });
  });
  replaceOutcomes(outcomes, await changeAll(tx, actor, carried));
  const moveOf = (row: PedidoRow) => moved.get(row) as Move;
  replaceOutcomes(outcomes, await applyTransitions(tx, actor, [...moved.keys()], moveOf));
  return outcomes;
}

const NOBODY = { transportista_id: null, transportista_nombre: null };
type Carried = Pick<PedidoRow, 'transportista_id' | 'transportista_nombre' | 'empresa_transporte'>;

/** Returns the change to another carrier or company; empty if the order already has both. */
function carry(row: PedidoRow, set: Carried): Change[] {
  const moved = row.transportista_id !== set.transportista_id;
  if (!moved && row.empresa_transporte === set.empresa_transporte) return [];
  return [{ row, set, step: { accion: moved ? 'Reasignar' : 'Cambiar empresa de transporte', action: 'update' } }];
}
