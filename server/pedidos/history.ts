import { sql } from 'kysely';
import type { HistoryEntry } from '../../contract/pedidos.ts';
import type { Estado } from '../../contract/pedidos.flow.ts';
import { type Actor, can } from '../../contract/policy.ts';
import { audit } from '../audit/audit.ts';
import type { Db, Tx } from '../db/open.ts';
import { notFound } from '../kit/errors.ts';
import { findPedido, type PedidoRow } from './row.ts';

type Change = {
  /** A short Spanish title: «Pedido creado», «Salir a reparto». */
  accion: string;
  action: 'create' | 'update' | 'delete' | 'restore';
  from?: Estado | null;
  to?: Estado | null;
  nota?: string | null;
  /** field → [before, after]; never a price. */
  cambios?: Record<string, [string | null, string | null]>;
};

/** Writes one step of an order's life into its history and the audit log, in the transaction that did it. */
export async function record(tx: Tx, actor: Actor, row: Pick<PedidoRow, 'id' | 'numero_orden'>, change: Change): Promise<void> {
  const cambios = change.cambios ?? {};
  await tx
    .insertInto('pedidos_historial')
    .values({
      pedido_id: row.id,
      actor_user_id: actor.id,
      actor_role: actor.role,
      actor_nombre: actor.full_name,
      accion: change.accion,
      estado_anterior: change.from ?? null,
      estado_nuevo: change.to ?? null,
      nota: change.nota ?? null,
      cambios: JSON.stringify(cambios),
    })
    .execute();
  const side = (i: 0 | 1) => ({
    ...(change.to ? { estado: i ? change.to : (change.from ?? null) } : {}),
    ...Object.fromEntries(Object.entries(cambios).map(([field, pair]) => [field, pair[i]])),
  });
  await audit(tx, actor, {
    type: 'pedido',
    action: change.action,
    entity_type: 'pedido',
    entity_id: row.id,
    description: `${change.accion}: ${row.numero_orden}`,
    antes: side(0),
    despues: side(1),
  });
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
