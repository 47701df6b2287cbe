import { type RawBuilder, sql } from 'kysely';
import { ESTADO, type Estado } from '../../contract/pedidos.estados.ts';
import { TRANSITIONS, type TransitionInput, type TransitionName, transitionsTo } from '../../contract/pedidos.flow.ts';
import type { InputName } from '../../contract/pedidos.inputs.ts';
import type { MetodoEntrega } from '../../contract/pedidos.metodos.ts';
import { type EstadoInput, WITHDRAWN } from '../../contract/pedidos.ts';
import { type Actor, can, mayEver } from '../../contract/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { Anunciada, MovedEstado } from '../db/schema.ts';
import { type Earned, earnedByAttempt, earnedByDelivery } from '../ganancias/ledger.ts';
import { conflict, DomainError, invalid, notFound } from '../kit/errors.ts';
import { refuseStale } from '../kit/version.ts';
import { recordAttempt } from './attempts.ts';
import { noCarrier, personLocked } from './carrier.ts';
import { collect } from './collect.ts';
import { noteOf, photosOf, recordEntrega } from './entrega.ts';
import { type Happened, happenedAt } from './happened.ts';
import { change } from './history.ts';
import { adjustStock, readLines } from './lineas.ts';
import { oweRefund, type Payment, recordPago } from './pagos.ts';
import { leaveOut, type Parts, partsSet, settleParts } from './partes.ts';
import { promised } from './promised.ts';
import { withdrawalFrom } from './reassigned.ts';
import { COLUMNS, lockPedido, type PedidoRow } from './row.ts';
import { refuse, step } from './step.ts';
import { offeredIn } from './zonas.ts';

/** Moves an order to an estado (specification, section 7). Throws 404, 403, 409 if stale or impossible, 422 if incomplete or ambiguous. */
export async function setEstado(db: Db, actor: Actor, id: string, body: EstadoInput): Promise<PedidoRow> {
  const done = await transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    const withdrawal = await withdrawalFrom(tx, actor, row);
    if (withdrawal !== undefined) throw conflict(withdrawal, WITHDRAWN);
    refuseStale(row, body.version, 'este pedido');
    const [name, other] = body.paso ? [leadingTo(body.estado, body.paso)] : transitionsTo(actor, row, body.estado);
    refuse(actor, row, name, body.estado);
    if (other) throw invalid('paso', `Hay más de un paso de «${ESTADO[row.estado].label}» a «${ESTADO[body.estado].label}»: indica cuál`);
    const happened = body.ocurrido === undefined ? undefined : await saidBy(tx, actor, row, body.ocurrido);
    const input = inputFrom(name, body);
    if (input.name !== 'completar') {
      if (body.no_entregado?.length) throw invalid('no_entregado', 'Solo una entrega deja algo sin entregar');
      const photos = input.name === 'fallar' ? await photosOf(tx, body) : undefined;
      return applyTransition(tx, actor, row, input, { happened, photos });
    }
    // A wrong PIN is counted, so its transaction must commit.
    const refused = await recordEntrega(tx, actor, row, body, happened);
    if (refused) return refused;
    const parts = await leaveOut(tx, actor, row, body.no_entregado);
    return applyTransition(tx, actor, row, { ...input, motivo: noteOf(body) }, { happened, parts });
  });
  if (done instanceof DomainError) throw done;
  return done;
}

// Only a carrier works without coverage; everyone else's steps happen when they are made.
function saidBy(tx: Tx, actor: Actor, row: PedidoRow, ocurrido: string): Promise<Happened> {
  if (!mayEver(actor, 'pedido:take')) throw invalid('ocurrido', 'Solo un transportista dice cuándo ocurrió un paso');
  return happenedAt(tx, row, ocurrido);
}

function leadingTo(estado: Estado, paso: TransitionName): TransitionName {
  const { to, label } = TRANSITIONS[paso];
  if (to !== estado) throw invalid('paso', `El paso «${label}» lleva a «${ESTADO[to].label}», no a «${ESTADO[estado].label}»`);
  return paso;
}

/** Lets a carrier take an available order. Throws 404, 409 if another was faster. */
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
      throw conflict(row.transportista_id ? 'Otro transportista ya ha tomado este pedido' : 'Este pedido ya no está disponible', 'taken');
    }
    if (!row.taker) throw noCarrier();
    if (!row.offered) throw conflict('Este pedido no es de tus zonas de reparto', 'taken');
    const taken = { transportista_id: carrier, transportista_nombre: row.taker };
    return applyTransition(tx, actor, row, { name: 'tomar', ...taken, empresa_transporte });
  });
}

type More = { pago?: Payment; happened?: Happened | undefined; parts?: Parts | undefined; photos?: readonly Anunciada[] | undefined };

/**
 * The only code that changes an estado. `row` must be locked; `pago` defaults to a manual payment of all that is due, `happened` to now;
 * `parts` are those that a delivery leaves out. Throws 409, 403.
 */
export async function applyTransition(
  tx: Tx,
  actor: Actor,
  row: PedidoRow,
  input: TransitionInput,
  { pago, happened, parts, photos }: More = {},
): Promise<PedidoRow> {
  const at = happened ? sql<string>`${happened.at}::timestamptz` : sql<string>`now()`;
  const { set, accion, nota, returned } = step(row, input, actor, at, promised());
  // Before the update, so that its result includes the payment.
  if (input.name === 'pagar') {
    const manual = { proveedor: 'manual', referencia: input.referencia, importe_cents: row.pendiente_cents };
    await recordPago(tx, row, { ...(pago ?? manual), estado: 'pagado' });
  }
  const collected = await collect(tx, row, input, { at, less: parts?.cents ?? 0 });
  if (input.name === 'cancelar') await oweRefund(tx, row);
  const waits = input.name === 'fallar' ? await recordAttempt(tx, actor, row, { ...input, photos }, at) : {};
  const moved = { ...set, ...waits, ...(parts && partsSet(row, parts)), estado: set.estado as MovedEstado };
  const updated = await change(tx, actor, row, moved, {
    accion,
    action: 'update',
    nota: [nota, parts?.nota, collected].filter(Boolean).join('. ') || null,
    happened,
    earned: earnedBy(actor, input.name, row, at),
  });
  // Last, because it blocks orders of the same product until commit.
  if (returned) await returnUnits(tx, actor, row);
  if (parts) await settleParts(tx, actor, updated, parts);
  return updated;
}

function earnedBy(actor: Actor, name: TransitionName, order: PedidoRow, at: RawBuilder<string>): Earned | undefined {
  if (name === 'completar') return earnedByDelivery(order, at);
  // The program itself fails deliveries only of deleted carriers.
  return name === 'fallar' && actor.id !== null ? earnedByAttempt(order, at) : undefined;
}

export async function returnUnits(tx: Tx, actor: Actor, row: PedidoRow): Promise<void> {
  if (row.unidades_retenidas === 0) return;
  await adjustStock(tx, actor, row.id, [await readLines(tx, row.id), []], { motivo: 'devolucion' });
}

// Carriers are assigned by another endpoint.
function inputFrom(name: TransitionName, body: EstadoInput): TransitionInput {
  for (const [field, missing] of Object.entries(TRANSITIONS[name].input)) {
    if (missing && !body[field as InputName]) throw invalid(field, missing);
  }
  const { ocurrido: _, no_entregado: __, ...input } = body;
  return { ...input, name } as TransitionInput;
}
