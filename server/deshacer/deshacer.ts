import type { deshacerPaso, deshacerVarios, ReversalPreview, verDeshacerVarios } from '../../contract/deshacer/deshacer.ts';
import type { Answer, BodyOut } from '../../contract/kit/endpoint.ts';
import type { Estado } from '../../contract/pedidos/estados.ts';
import { DEPARTURE_MINUTES, REVERSALS, type ReversalName, reversalsFor } from '../../contract/pedidos/reversals.ts';
import { type Actor, can, mayEver } from '../../contract/policy/policy.ts';
import { type Db, onSnapshot, type Tx, transact } from '../db/open.ts';
import { conflict, DomainError, forbidden, invalid, refuseStale } from '../kit/errors.ts';
import { releaseOrphans } from '../pedidos/escritura/pedidos.ts';
import type { ChangedColumns } from '../pedidos/historia/change.ts';
import { happenedAt } from '../pedidos/historia/happened.ts';
import { ordersFor } from '../pedidos/lectura/filter.ts';
import { findPedido, lockPedido, type PedidoRow } from '../pedidos/lectura/row.ts';
import { lockCash } from '../pedidos/pagos/cash.ts';
import { onlyOutcome } from '../pedidos/pasos/outcomes.ts';
import { moveBack } from '../pedidos/pasos/transition.ts';
import { readSettings } from '../settings/settings.ts';
import { cancellationCounters } from './cancellation.ts';
import { deliveryCounters } from './delivery.ts';
import { type Counter, type MadeStep, readStep } from './step.ts';

/* Ways back from an order's last step, by counter-entries in each ledger that the step wrote (decision 132). */

type Way = { to: Estado; set: ChangedColumns; counters: readonly Counter[] };

/**
 * Takes an order's last step back. Throws 404, 403; 409 if stale, if another step came after it, or if something depends on it, with the person
 * who can help; 422 for a missing reason or too little stock.
 */
export const reverseStep = (db: Db, actor: Actor, id: string, body: BodyOut<typeof deshacerPaso>): Promise<PedidoRow> =>
  transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, id);
    refuseStale(row, body.version, 'este pedido');
    return reverseIn(tx, actor, row, body);
  });

/** Like `reverseStep`, of a locked order within a transaction. */
export async function reverseIn(
  tx: Tx,
  actor: Actor,
  row: PedidoRow,
  { paso, motivo = null, ocurrido }: Omit<BodyOut<typeof deshacerPaso>, 'version'>,
): Promise<PedidoRow> {
  if (ocurrido && !mayEver(actor, 'paso:own-time')) throw invalid('ocurrido', 'Solo un transportista dice cuándo ocurrió un paso');
  const happened = ocurrido ? await happenedAt(tx, row, ocurrido) : undefined;
  const step = await readStep(tx, row, paso, happened);
  if (!motivo && (await needsReason(actor, paso, step))) throw invalid('motivo', 'Indica el motivo');
  // Cash that is being handed over must not be annulled.
  if (row.transportista_id) await lockCash(tx, row.transportista_id);
  const { to, set, counters } = await wayBack(tx, actor, row, paso, step);
  for (const { run } of counters) await run(motivo ?? REVERSALS[paso].done);
  // The counter-entries have changed the order's amounts.
  const current = await lockPedido(tx, actor, row.id);
  const back = await moveBack(tx, actor, current, { accion: REVERSALS[paso].done, to, set, deshace: step.id, nota: motivo, happened });
  return onlyOutcome(await releaseOrphans(tx, [back]));
}

/** Returns why a step cannot be taken back now, without writing; undefined if it can. */
export async function reversalRefusal(tx: Tx, actor: Actor, row: PedidoRow, paso: ReversalName): Promise<string | undefined> {
  try {
    await wayBack(tx, actor, row, paso, await readStep(tx, row, paso, undefined));
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

/** Says how the last step would be taken back, and what that takes back, without writing. Throws 404. */
export const previewReversal = (db: Db, actor: Actor, id: string): Promise<ReversalPreview> =>
  onSnapshot(db, async (tx) => {
    const row = await findPedido(tx, actor, id);
    const [paso] = reversalsFor(actor, row);
    const nothing = { paso: paso ?? null, vuelve_a: null, con_motivo: false, consecuencias: [] };
    if (!paso) return { ...nothing, rechazo: null };
    try {
      const step = await readStep(tx, row, paso, undefined);
      const { to, counters } = await wayBack(tx, actor, row, paso, step);
      const consecuencias = [REVERSALS[paso].consequence, ...counters.map(({ words }) => words)];
      return { paso, vuelve_a: to, con_motivo: await needsReason(actor, paso, step), consecuencias, rechazo: null };
    } catch (error) {
      if (error instanceof DomainError) return { ...nothing, rechazo: error.message };
      throw error;
    }
  });

/** Like `previewReversal`, of several orders; orders that are gone are left out. */
export async function previewReversals(db: Db, actor: Actor, ids: readonly string[]): Promise<Answer<typeof verDeshacerVarios>['data']> {
  const numbers = await numbersOf(db, actor, ids);
  const data: Answer<typeof verDeshacerVarios>['data'] = [];
  for (const [id, numero_orden] of numbers) data.push({ id, numero_orden, ...(await previewReversal(db, actor, id)) });
  return data;
}

/** Takes the last step of each order back, each in a transaction of its own, so that a refused order stops no others. */
export async function reverseSteps(
  db: Db,
  actor: Actor,
  { pedidos, motivo }: BodyOut<typeof deshacerVarios>,
): Promise<Answer<typeof deshacerVarios>> {
  const data: Answer<typeof deshacerVarios>['data'] = [];
  const numbers = await numbersOf(
    db,
    actor,
    pedidos.map(({ id }) => id),
  );
  for (const { id, paso } of pedidos) {
    const order = { id, numero_orden: numbers.get(id) ?? '' };
    try {
      await reverseStep(db, actor, id, { paso, motivo });
      data.push({ ...order, ok: true, message: REVERSALS[paso].done });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      data.push({ ...order, ok: false, message: error.message, code: error.body.code });
    }
  }
  const hechos = data.filter(({ ok }) => ok).length;
  return { message: `${hechos} de ${data.length} pedidos: deshecho`, hechos, data };
}

async function numbersOf(db: Db, actor: Actor, ids: readonly string[]): Promise<Map<string, string>> {
  const found = await ordersFor(db, actor, {}).where('id', 'in', ids).select(['id', 'numero_orden']).execute();
  return new Map(found.map(({ id, numero_orden }) => [id, numero_orden]));
}

/** True for whoever may take any step back, at any time. */
const isOffice = (actor: Actor) => mayEver(actor, 'paso:reabrir');

/** A delivery always wants a reason; a departure only if it was not just a slip. */
const needsReason = async (actor: Actor, paso: ReversalName, { minutes }: MadeStep): Promise<boolean> =>
  paso === 'deshacer_entrega' || (paso === 'volver_de_ruta' && !isOffice(actor) && minutes > DEPARTURE_MINUTES);

/** Returns where the order goes back to, and the counter-entries. Throws 403, and 409 with the person who can help. */
async function wayBack(tx: Tx, actor: Actor, row: PedidoRow, paso: ReversalName, step: MadeStep): Promise<Way> {
  if (!can(actor, `paso:${paso}`, row)) throw forbidden(`paso:${paso}`);
  const to = step.estado_anterior as Estado;
  if (paso === 'volver_de_ruta') return { to, set: { salio_at: null }, counters: [] };
  if (paso === 'reabrir') return cancellationCounters(tx, actor, row, to);
  if (!isOffice(actor)) await refuseLate(tx, actor, step);
  return { to, set: await beforeDelivery(tx, row, step), counters: await deliveryCounters(tx, actor, row, isOffice(actor)) };
}

async function refuseLate(tx: Tx, actor: Actor, { actor_user_id, minutes }: MadeStep): Promise<void> {
  const { undoDeliveryMinutes } = await readSettings(tx);
  if (actor_user_id !== actor.id) throw conflict('Esta entrega no la has hecho tú: pide a la oficina que la deshaga', 'estado');
  if (minutes > undoDeliveryMinutes)
    throw conflict(
      undoDeliveryMinutes
        ? `Han pasado más de ${undoDeliveryMinutes} minutos: pide a la oficina que la deshaga`
        : 'Solo la oficina deshace una entrega: llámala',
      'estado',
    );
}

/** Columns as they were before the delivery. An entry of an earlier version knows only the estado. */
async function beforeDelivery(tx: Tx, row: PedidoRow, { antes }: MadeStep): Promise<ChangedColumns> {
  const last = tx.selectFrom('intentos').select('motivo').where('pedido_id', '=', row.id);
  const attempt = await last.orderBy('created_at', 'desc').limit(1).executeTakeFirst();
  return {
    ...(antes ?? { metodo_entrega: null, numero_seguimiento: null }),
    motivo: attempt?.motivo || null,
    fecha_completado: null,
    entrega_anulada_at: row.fecha_completado,
  };
}
