import { sql } from 'kysely';
import { RECORDED_FIELDS, seenIn } from '../../../contract/pedidos/access.ts';
import { placeWords } from '../../../contract/pedidos/direccion.ts';
import type { EstadoInput, HistoryEntry } from '../../../contract/pedidos/pedidos.ts';
import { findReversal, REVERSALS, type ReversalEvent } from '../../../contract/pedidos/reversals.ts';
import { stepInPast } from '../../../contract/pedidos/words.ts';
import { type Actor, can, mayEver, SISTEMA } from '../../../contract/policy/policy.ts';
import type { WebhookEvent } from '../../../contract/webhooks/fields.ts';
import { withAuditEntries } from '../../audit/audit.ts';
import { type Db, dropCtes, type Tx } from '../../db/open.ts';
import type { Overwritten } from '../../db/schema.ts';
import type { Earned } from '../../ganancias/ledger.ts';
import { notFound } from '../../kit/errors.ts';
import { isSameMetadata } from '../../kit/metadata.ts';
import { toEuros } from '../../kit/money.ts';
import { emit } from '../../live/emit.ts';
import { notify, RECIPIENTS, type Recipients, sendNotices, withNotices, withOffersWithdrawn } from '../../notifications/notify.ts';
import { isKept, queueEvents, queueWebhooks } from '../../webhooks/queue.ts';
import { presentFull } from '../lectura/present.ts';
import { reassignedFrom } from '../lectura/reassigned.ts';
import { findPedido, type PedidoRow, type StoredPedido } from '../lectura/row.ts';
import { type Line, linesByOrder } from '../lineas/lineas.ts';
import { changeNotices, isOffered } from './announce.ts';
import { type Announced, filesAnnounced, shownFiles } from './attempts.ts';
import type { Happened } from './happened.ts';

type Step = {
  /** Spanish title: «Pedido creado», «Salir a reparto». */
  accion: string;
  nota?: string | null | undefined;
  /** Time of the step, if not now. */
  happened?: Happened | undefined;
  /** Columns that the step overwrote, for its way back. */
  antes?: Overwritten | undefined;
  /** History entry of the step that this one takes back. */
  deshace?: string | undefined;
};
type Kind = 'create' | 'update' | 'delete' | 'restore';
type Pair = [string | null, string | null];

/** History row for a change; `before` is null for a new order. */
export function historyRow(
  actor: Actor,
  { accion, nota, happened, antes, deshace }: Step,
  before: StoredPedido | null,
  after: StoredPedido,
) {
  const moved = before?.estado !== after.estado;
  const changed = before ? RECORDED_FIELDS.filter((field) => before[field] !== after[field]) : [];
  const cambios: Record<string, Pair> = Object.fromEntries(
    changed.map((field): [string, Pair] => [field, [before?.[field] ?? null, after[field]]]),
  );
  return {
    pedido_id: after.id,
    actor_user_id: actor.id,
    actor_role: actor.role,
    actor_nombre: actor.full_name,
    // Past form: the history says what was done, not the button's label.
    accion: stepInPast(accion),
    estado_anterior: moved ? (before?.estado ?? null) : null,
    estado_nuevo: moved ? after.estado : null,
    nota: nota ?? null,
    ocurrido_at: happened?.ocurrido_at ?? null,
    ocurrido_dicho: happened?.ocurrido_dicho ?? null,
    cambios,
    retirado_a: reassignedFrom(before, after),
    antes: antes ? JSON.stringify(antes) : null,
    deshace_id: deshace ?? null,
  };
}

export function auditEntry(step: Omit<ReturnType<typeof historyRow>, 'antes' | 'deshace_id'>, action: Kind, numero_orden: string) {
  const { estado_anterior, estado_nuevo, cambios } = step;
  const side = (i: 0 | 1) => ({
    ...(estado_nuevo ? { estado: i ? estado_nuevo : estado_anterior } : {}),
    ...Object.fromEntries(Object.entries(cambios).map(([field, pair]) => [field, pair[i]])),
  });
  return {
    type: 'pedido',
    action,
    entity_type: 'pedido',
    entity_id: step.pedido_id,
    description: `${step.accion}: ${numero_orden}`,
    antes: side(0),
    despues: side(1),
  } as const;
}

export type Recorded = Step & { action: Kind };
/** A change of an order; `before` is null for a new order. */
type Changed = { step: Recorded; before: PedidoRow | null; after: StoredPedido };

/** Records a change in history and audit log, refreshes screens and notifies people and webhooks, in the transaction of the change. */
export const recordChange = (tx: Tx, actor: Actor, step: Recorded, before: PedidoRow, after: PedidoRow): Promise<void> =>
  recordAll(tx, actor, [{ step, before, after }]);

/** Like `recordChange` for many orders, whose records are written by one statement. */
export async function recordAll(tx: Tx, actor: Actor, changes: readonly (Changed & { after: PedidoRow })[]): Promise<void> {
  if (changes.length === 0) return;
  const traces = withChangeRecords(tx, actor, changes);
  const answer = await traces.with.selectNoFrom(traces.answer).executeTakeFirstOrThrow();
  await traces.send(
    answer,
    changes.map(({ after }) => after),
  );
}

/** Like `recordAll`, but as part of the statement that writes the orders. Select `answer` there, and pass the result and the written rows, in order, to `send`. */
export function withChangeRecords(tx: Tx, actor: Actor, changes: readonly Changed[], earned?: Earned) {
  const entries = changes.map(({ step, before, after }) => historyRow(actor, step, before, after));
  const notices = changes.flatMap(({ step, before, after }) => changeNotices(actor, step, before, after));
  const audits = changes.flatMap(({ step, after }, i) => {
    const entry = entries[i];
    return entry ? [auditEntry(entry, step.action, after.numero_orden)] : [];
  });
  let traces = dropCtes(withAuditEntries(tx, actor, audits));
  const withdrawn = changes.filter(({ before, after }) => isOffered(before) && !isOffered(after)).map(({ after }) => after.id);
  if (withdrawn.length) traces = withOffersWithdrawn(tx, traces, withdrawn);
  if (earned) traces = dropCtes(traces.with('earned', () => sql`(${earned})`));
  return {
    with: withNotices(traces, notices).with('entry', (query) =>
      query.insertInto('pedidos_historial').values(entries.map((entry) => ({ ...entry, cambios: JSON.stringify(entry.cambios) }))),
    ),
    answer: [isKept.as('wanted'), RECIPIENTS] as const,
    send: async ({ wanted, recipients }: { wanted: boolean; recipients: Recipients | null }, written: readonly PedidoRow[]) => {
      for (const { before, after } of changes) {
        // Entering or leaving the available orders changes every carrier's list.
        const offered = [before, after].some((row) => row?.estado === 'pendiente');
        emit(tx, {
          topic: 'pedidos',
          roles: offered ? ['superadmin', 'transportista'] : ['superadmin'],
          users: [...new Set([after.revendedor_id, before?.transportista_id, after.transportista_id].filter((id) => id != null))],
        });
      }
      await sendNotices(tx, notices, recipients);
      if (!wanted) return;
      const announced = changes.flatMap(({ step, before }, i) => {
        const pedido = written[i];
        return pedido ? [{ events: changeEvents(step, before, pedido), pedido }] : [];
      });
      await queueWebhooksOf(
        tx,
        announced.filter(({ events }) => events.length > 0),
      );
    },
  };
}

/** Returns the last 200 entries of an order's history, newest first, without changes hidden from `actor`. Throws 404. */
export async function readHistory(db: Db, actor: Actor, id: string): Promise<HistoryEntry[]> {
  const row = await findPedido(db, actor, id);
  if (!can(actor, 'pedido:history', row)) throw notFound();
  const { rows } = await sql<Omit<HistoryEntry, 'pruebas'> & { pruebas: Announced[] | null; cents: number | null }>`
    SELECT id, created_at, actor_nombre, actor_role, accion, estado_anterior, estado_nuevo, nota, ocurrido_at, ocurrido_dicho, cambios,
      CASE WHEN registrado_at IS NULL THEN cobrado_cents END AS cents,
      CASE WHEN anunciadas IS NOT NULL THEN ${filesAnnounced('pedidos_historial')} END AS pruebas
    FROM pedidos_historial WHERE pedido_id = ${id} ORDER BY created_at DESC, id DESC LIMIT 200`.execute(db);
  return rows.map(({ pruebas, cents, ...entry }) => ({
    ...entry,
    cambios: seenIn(actor, entry.cambios, row),
    ...(pruebas && { pruebas: shownFiles(actor, row, pruebas) }),
    ...(cents && mayEver(actor, 'caja:confirm') && { sin_registrar: toEuros(cents) }),
  }));
}

const DONE = { completar: 'entregado', fallar: 'intentado' } as const;

/** Notifies of a step at an address that has changed since. Only the history names the address, because redaction covers it. */
export async function notifyOldAddress(
  tx: Tx,
  actor: Actor,
  row: PedidoRow,
  name: string,
  seen: EstadoInput['direccion_vista'],
): Promise<void> {
  if (seen === undefined || actor.id === null || !(name === 'completar' || name === 'fallar') || seen === placeWords(row)) return;
  const { id: pedido_id, numero_orden } = row;
  await recordChange(tx, actor, { accion: 'El teléfono tenía la dirección anterior', action: 'update', nota: seen }, row, row);
  const notice = { tipo: 'entrega_sin_comprobar' as const, pedido_id };
  await notify(
    tx,
    {
      ...notice,
      texto: `${actor.full_name} ha ${DONE[name]} ${numero_orden} en la dirección anterior: se cambió mientras estaba sin cobertura`,
      enlace: `/pedidos/${pedido_id}`,
      roles: ['superadmin'],
      mail: true,
    },
    {
      ...notice,
      texto: `La dirección de ${numero_orden} cambió mientras estabas sin cobertura: lo has ${DONE[name]} en la anterior. Llama a la oficina`,
      enlace: `/pedidos-asignados?search=${encodeURIComponent(numero_orden)}`,
      users: [actor.id],
    },
  );
}

/** Queues webhooks for these events of orders, in the transaction of the change. */
async function queueWebhooksOf(tx: Tx, announced: readonly { events: WebhookEvent[]; pedido: PedidoRow }[]): Promise<void> {
  const tipos = [...new Set(announced.flatMap(({ events }) => events))];
  if (tipos.length === 0) return;
  const lines = await linesByOrder(
    tx,
    announced.map(({ pedido }) => pedido.id),
  );
  await queueEvents(tx, tipos, () =>
    announced.flatMap(({ events, pedido }) => {
      const content = { pedido: presentFull(SISTEMA, pedido, '', lines.get(pedido.id) ?? []), zona: pedido.zona };
      return events.map((tipo) => ({ tipo, content }));
    }),
  );
}

export const queueNew = (tx: Tx, pedidos: readonly PedidoRow[], lines: ReadonlyMap<string, readonly Line[]>): Promise<void> =>
  queueWebhooks(tx, ['pedido.creado'], () =>
    pedidos.map((pedido) => ({ pedido: presentFull(SISTEMA, pedido, '', lines.get(pedido.id)), zona: pedido.zona })),
  );

/** Returns the events of a change; deletions have none. */
export function changeEvents({ deshace }: Step, before: PedidoRow | null, after: PedidoRow): WebhookEvent[] {
  if (!before) return ['pedido.creado'];
  const reversal = deshace && findReversal(before.estado);
  if (reversal) return [REVERSALS[reversal].event];
  const becomes = (estado: PedidoRow['estado']) => before.estado !== estado && after.estado === estado;
  type Apart = 'pedido.creado' | 'pedido.modificado' | ReversalEvent;
  const events: Record<Exclude<Extract<WebhookEvent, `pedido.${string}`>, Apart>, boolean> = {
    'pedido.pagado': !isPaid(before) && isPaid(after),
    'pedido.asignado': after.transportista_id !== null && before.transportista_id !== after.transportista_id,
    'pedido.en_ruta': becomes('en_ruta'),
    'pedido.intento_fallido':
      (before.estado === 'en_ruta' && after.estado === 'asignado') || (!before.incidencia_at && !!after.incidencia_at),
    'pedido.completado': becomes('completado'),
    'pedido.cancelado': becomes('cancelado'),
    'pedido.devuelto': after.cantidad_devuelta > before.cantidad_devuelta,
  };
  const happened = (Object.keys(events) as (keyof typeof events)[]).filter((name) => events[name]);
  // `pedido.modificado` is only for changes that no other event names.
  const isWithdrawn = before.transportista_id !== null && after.transportista_id === null;
  const edited =
    isWithdrawn ||
    (before.estado === after.estado &&
      (RECORDED_FIELDS.some((field) => before[field] !== after[field]) || !isSameMetadata(before.metadata, after.metadata)));
  return happened.length === 0 && edited ? ['pedido.modificado'] : happened;
}

// Checks the amount due too: an order can leave or skip `pendiente_pago` without being paid.
const isPaid = ({ estado, pendiente_cents }: PedidoRow): boolean =>
  estado !== 'pendiente_pago' && estado !== 'cancelado' && pendiente_cents === 0;
