import { type Expression, isExpression, sql, type UpdateObject } from 'kysely';
import { RECORDED_FIELDS, seenIn } from '../../contract/pedidos.access.ts';
import type { HistoryEntry } from '../../contract/pedidos.ts';
import { hecho } from '../../contract/pedidos.words.ts';
import { type Actor, can } from '../../contract/policy.ts';
import { audited } from '../audit/audit.ts';
import { forgetCtes } from '../db/forget-ctes.ts';
import type { Db, Tx } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import type { Earned } from '../ganancias/ledger.ts';
import { conflict, notFound } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { RECIPIENTS, type Recipients, send, withNotices, withOfferWithdrawn } from '../notifications/notify.ts';
import { isKept } from '../webhooks/events.ts';
import { isOffered, noticesOf } from './announce.ts';
import type { Happened } from './happened.ts';
import { reassignedFrom } from './reassigned.ts';
import { COLUMNS, findPedido, type PedidoRow, type StoredPedido } from './row.ts';
import { eventsOf, tellWebhooks } from './webhooks.ts';

type Step = {
  /** Spanish title: «Pedido creado», «Salir a reparto». */
  accion: string;
  nota?: string | null | undefined;
  /** When it happened, if not now. */
  happened?: Happened | undefined;
};
type Kind = 'create' | 'update' | 'delete' | 'restore';
type Pair = [string | null, string | null];

/** History row for a change; `before` is null for a new order. */
export function historyOf(actor: Actor, { accion, nota, happened }: Step, before: StoredPedido | null, after: StoredPedido) {
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
    // The past step, not the button's name.
    accion: hecho(accion),
    estado_anterior: moved ? (before?.estado ?? null) : null,
    estado_nuevo: moved ? after.estado : null,
    nota: nota ?? null,
    ocurrido_at: happened?.ocurrido_at ?? null,
    ocurrido_dicho: happened?.ocurrido_dicho ?? null,
    cambios,
    retirado_a: reassignedFrom(before, after),
  };
}

export function auditOf(step: ReturnType<typeof historyOf>, action: Kind, numero_orden: string) {
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

type Recorded = Step & {
  action: Kind;
  earned?: Earned | undefined;
};

/** Records a change in history and audit log, refreshes screens and notifies people and webhooks, in the transaction of the change. */
export async function record(tx: Tx, actor: Actor, step: Recorded, before: PedidoRow, after: PedidoRow): Promise<void> {
  const traces = withChangeRecords(tx, actor, step, before, after);
  const answer = await traces.with.selectNoFrom(traces.answer).executeTakeFirstOrThrow();
  await traces.send(answer, after);
}

/** Like `record`, in one round trip with the statement that writes the order; `send` takes its `answer`. `before` null: new order. */
export function withChangeRecords(
  tx: Tx,
  actor: Actor,
  { action, earned, ...step }: Recorded,
  before: PedidoRow | null,
  after: StoredPedido,
) {
  const entry = historyOf(actor, step, before, after);
  const notices = noticesOf(actor, action, before, after);
  let traces = forgetCtes(audited(tx, actor, auditOf(entry, action, after.numero_orden)));
  if (isOffered(before) && !isOffered(after)) traces = withOfferWithdrawn(tx, traces, after.id);
  if (earned) traces = forgetCtes(traces.with('earned', () => sql`(${earned})`));
  return {
    with: withNotices(traces, notices).with('entry', (query) =>
      query.insertInto('pedidos_historial').values({ ...entry, cambios: JSON.stringify(entry.cambios) }),
    ),
    answer: [isKept.as('wanted'), RECIPIENTS] as const,
    send: async ({ wanted, recipients }: { wanted: boolean; recipients: Recipients | null }, written: PedidoRow) => {
      // Entering or leaving the available orders changes every carrier's list.
      const offered = [before, after].some((row) => row?.estado === 'pendiente');
      emit(tx, {
        topic: 'pedidos',
        roles: offered ? ['superadmin', 'transportista'] : ['superadmin'],
        users: [...new Set([after.revendedor_id, before?.transportista_id, after.transportista_id].filter((id) => id != null))],
      });
      await send(tx, notices, recipients);
      const events = wanted ? eventsOf(before, written) : [];
      if (events.length) await tellWebhooks(tx, events, written);
    },
  };
}

/** Writes `set` to a locked order, raises its version and records `step`. Not for the estado, which has transitions. */
export async function change(
  tx: Tx,
  actor: Actor,
  row: PedidoRow,
  set: UpdateObject<Tables, 'pedidos'>,
  step: Recorded,
): Promise<PedidoRow> {
  // What the former carrier loaded is not in the next one's vehicle.
  if (set.transportista_id !== undefined && set.transportista_id !== row.transportista_id) set = { ...set, cargado_at: null };
  const { fecha_estimada } = set;
  if (isExpression(fecha_estimada)) set = { ...set, fecha_estimada: await evaluate(tx, fecha_estimada) };
  const traces = withChangeRecords(tx, actor, step, row, { ...row, ...set } as StoredPedido);
  const { wanted, recipients, ...updated } = await traces.with
    .updateTable('pedidos')
    .set({ ...set, version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', '=', row.id)
    .where('estado', '=', row.estado)
    .returning([...COLUMNS, ...traces.answer])
    .executeTakeFirstOrThrow(() => conflict('El pedido ha cambiado mientras tanto. Vuelve a intentarlo.', 'estado'));
  await traces.send({ wanted, recipients }, updated);
  return updated;
}

const evaluate = async (tx: Tx, expression: Expression<unknown>) =>
  (await tx.selectNoFrom(sql<string | null>`(${expression})::timestamptz`.as('instant')).executeTakeFirstOrThrow()).instant;

/** Returns an order's history, newest first, with the visible changes. Throws 404. */
export async function readHistory(db: Db, actor: Actor, id: string): Promise<HistoryEntry[]> {
  const row = await findPedido(db, actor, id);
  if (!can(actor, 'pedido:history', row)) throw notFound();
  const { rows } = await sql<HistoryEntry>`
    SELECT id, created_at, actor_nombre, actor_role, accion, estado_anterior, estado_nuevo, nota, ocurrido_at, ocurrido_dicho, cambios
    FROM pedidos_historial WHERE pedido_id = ${id} ORDER BY created_at DESC, id DESC LIMIT 200`.execute(db);
  return rows.map((entry) => ({ ...entry, cambios: seenIn(actor, entry.cambios, row) }));
}
