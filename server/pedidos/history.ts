import { sql, type UpdateObject } from 'kysely';
import { RECORDED_FIELDS } from '../../contract/pedidos.fields.ts';
import type { HistoryEntry } from '../../contract/pedidos.ts';
import { type Actor, can } from '../../contract/policy.ts';
import { audited } from '../audit/audit.ts';
import type { Db, Tx } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import { notFound } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { notify, withOfferWithdrawn } from '../notifications/notify.ts';
import { isWanted } from '../webhooks/queue.ts';
import { isOffered, noticesOf } from './announce.ts';
import { COLUMNS, findPedido, type PedidoRow, type StoredPedido } from './row.ts';
import { eventsOf, tellWebhooks } from './webhooks.ts';
import { takenFrom } from './withdrawn.ts';

type Step = {
  /** A short Spanish title: «Pedido creado», «Salir a reparto». */
  accion: string;
  nota?: string | null | undefined;
};
type Kind = 'create' | 'update' | 'delete' | 'restore';
type Pair = [string | null, string | null];

/** The history row for the change from `before` to `after`; `before` is null for a new order. */
export function historyOf(actor: Actor, { accion, nota }: Step, before: StoredPedido | null, after: StoredPedido) {
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
    accion,
    estado_anterior: moved ? (before?.estado ?? null) : null,
    estado_nuevo: moved ? after.estado : null,
    nota: nota ?? null,
    cambios,
    retirado_a: takenFrom(before, after),
  };
}

/** The same step as an entry of the audit log. */
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

/**
 * Records a change of an order in its history and the audit log, refreshes the screens of those concerned and
 * notifies them and webhooks, all in the transaction of the change. `before` is null for a new order.
 */
export async function record(
  tx: Tx,
  actor: Actor,
  { action, ...step }: Step & { action: Kind },
  before: PedidoRow | null,
  after: PedidoRow,
): Promise<void> {
  const entry = historyOf(actor, step, before, after);
  const events = eventsOf(before, after);
  // One round trip for every order made or moved.
  const traced = audited(tx, actor, auditOf(entry, action, after.numero_orden));
  const { wanted } = await (isOffered(before) && !isOffered(after) ? withOfferWithdrawn(tx, traced, after.id) : traced)
    .insertInto('pedidos_historial')
    .values({ ...entry, cambios: JSON.stringify(entry.cambios) })
    .returning(isWanted(events).as('wanted'))
    .executeTakeFirstOrThrow();
  // Entering or leaving the available orders changes every carrier's list.
  const offered = [before, after].some((row) => row?.estado === 'pendiente');
  emit(tx, {
    topic: 'pedidos',
    roles: offered ? ['superadmin', 'transportista'] : ['superadmin'],
    users: [...new Set([after.revendedor_id, before?.transportista_id, after.transportista_id].filter((id) => id != null))],
  });
  await notify(tx, ...noticesOf(actor, action, before, after));
  if (wanted) await tellWebhooks(tx, events, after);
}

/** Writes `set` to a locked order, whose version it raises, and records it as `step`. The estado has transitions of its own. */
export async function change(
  tx: Tx,
  actor: Actor,
  row: PedidoRow,
  set: UpdateObject<Tables, 'pedidos'>,
  step: Step & { action: Kind },
): Promise<PedidoRow> {
  const updated = await tx
    .updateTable('pedidos')
    .set({ ...set, version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', '=', row.id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  await record(tx, actor, step, row, updated);
  return updated;
}

/** An order's history, newest first. */
export async function readHistory(db: Db, actor: Actor, id: string): Promise<HistoryEntry[]> {
  const row = await findPedido(db, actor, id);
  if (!can(actor, 'pedido:history', row)) throw notFound();
  const { rows } = await sql<HistoryEntry>`
    SELECT id, created_at, actor_nombre, actor_role, accion, estado_anterior, estado_nuevo, nota, cambios
    FROM pedidos_historial WHERE pedido_id = ${id} ORDER BY created_at DESC, id DESC LIMIT 200`.execute(db);
  return rows;
}
