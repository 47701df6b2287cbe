import { sql } from 'kysely';
import { RECORDED_FIELDS } from '../../contract/pedidos.fields.ts';
import type { HistoryEntry } from '../../contract/pedidos.ts';
import { type Actor, can } from '../../contract/policy.ts';
import { audit } from '../audit/audit.ts';
import type { Db, Tx } from '../db/open.ts';
import { notFound } from '../kit/errors.ts';
import { emit } from '../live/emit.ts';
import { announce } from './announce.ts';
import { findPedido, type PedidoRow } from './row.ts';

type Step = {
  /** A short Spanish title: «Pedido creado», «Salir a reparto». */
  accion: string;
  action: 'create' | 'update' | 'delete' | 'restore';
  nota?: string | null | undefined;
};
type Pair = [string | null, string | null];

/**
 * Writes one step of an order's life into its history and the audit log, wakes the screens of those
 * concerned and tells them, in the transaction that did it. `before` is null for a new order.
 */
export async function record(
  tx: Tx,
  actor: Actor,
  { accion, action, nota }: Step,
  before: PedidoRow | null,
  after: PedidoRow,
): Promise<void> {
  const moved = before?.estado !== after.estado;
  const cambios: Record<string, Pair> = before
    ? Object.fromEntries(
        RECORDED_FIELDS.filter((field) => before[field] !== after[field]).map((field) => [field, [before[field], after[field]] as Pair]),
      )
    : {};
  await tx
    .insertInto('pedidos_historial')
    .values({
      pedido_id: after.id,
      actor_user_id: actor.id,
      actor_role: actor.role,
      actor_nombre: actor.full_name,
      accion,
      estado_anterior: moved ? (before?.estado ?? null) : null,
      estado_nuevo: moved ? after.estado : null,
      nota: nota ?? null,
      cambios: JSON.stringify(cambios),
    })
    .execute();
  const side = (i: 0 | 1) => ({
    ...(moved ? { estado: (i ? after : before)?.estado ?? null } : {}),
    ...Object.fromEntries(Object.entries(cambios).map(([field, pair]) => [field, pair[i]])),
  });
  await audit(tx, actor, {
    type: 'pedido',
    action,
    entity_type: 'pedido',
    entity_id: after.id,
    description: `${accion}: ${after.numero_orden}`,
    antes: side(0),
    despues: side(1),
  });
  // Every carrier's list of available orders changes when this one enters or leaves it.
  const offered = [before, after].some((row) => row?.estado === 'pendiente');
  await emit(tx, {
    topic: 'pedidos',
    roles: offered ? ['superadmin', 'transportista'] : ['superadmin'],
    users: [...new Set([after.revendedor_id, before?.transportista_id, after.transportista_id].filter((id) => id != null))],
  });
  if (action !== 'delete' && action !== 'restore') await announce(tx, actor, before, after);
}

/** An order's history, newest first. Throws 404 for whoever may not read the order. */
export async function readHistory(db: Db, actor: Actor, id: string): Promise<HistoryEntry[]> {
  const row = await findPedido(db, actor, id);
  if (!can(actor, 'pedido:history', row)) throw notFound();
  const { rows } = await sql<HistoryEntry>`
    SELECT id, created_at, actor_nombre, actor_role, accion, estado_anterior, estado_nuevo, nota, cambios
    FROM pedidos_historial WHERE pedido_id = ${id} ORDER BY created_at DESC, id DESC LIMIT 200`.execute(db);
  return rows;
}
