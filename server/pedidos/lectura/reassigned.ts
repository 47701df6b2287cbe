import { type Selectable, sql } from 'kysely';
import { type Actor, mayEver } from '../../../contract/policy/policy.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { PedidosTable } from '../../db/schema.ts';
import { ZONE } from '../../settings/zone.ts';

type Carried = Pick<Selectable<PedidosTable>, 'id' | 'estado' | 'transportista_id' | 'deleted_at'>;

export const DELETED = 'Pedido eliminado';

/** Returns the carrier who loses the order by this change (reassigned, unassigned, cancelled or deleted); null if none does. */
export function reassignedFrom(before: Carried | null, after: Carried): string | null {
  const ended = after.estado === 'cancelado' || after.deleted_at !== null;
  const kept = before?.transportista_id === after.transportista_id && !ended;
  return kept ? null : (before?.transportista_id ?? null);
}

/** Returns the message for a former carrier: who withdrew the order, when, and who got it; undefined for others. Hides later changes. */
export async function withdrawalMessage(db: Db | Tx, actor: Actor, id: string): Promise<string | undefined> {
  if (!mayEver(actor, 'pedido:withdrawn')) return undefined;
  const step = await db
    .selectFrom('pedidos_historial')
    .select([
      'actor_user_id',
      'actor_nombre',
      'accion',
      'estado_nuevo',
      'cambios',
      sql<string>`to_char(created_at AT TIME ZONE ${ZONE}, '"el" DD/MM "a las" HH24:MI')`.as('cuando'),
    ])
    .where('pedido_id', '=', id)
    .where('retirado_a', '=', actor.id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!step) return undefined;
  const { actor_nombre: who, accion, estado_nuevo, cambios, cuando } = step;
  if (step.actor_user_id === actor.id) return 'Has devuelto este pedido';
  if (accion === DELETED) return `${who} ha eliminado este pedido ${cuando}`;
  if (estado_nuevo === 'cancelado') return `${who} ha cancelado este pedido ${cuando}`;
  const to = (cambios as Record<string, [string | null, string | null]>).transportista_nombre?.[1];
  return to ? `${who} ha pasado este pedido a ${to} ${cuando}` : `${who} te ha retirado este pedido ${cuando}`;
}

/** Like `withdrawalMessage`, for an order that `actor` may read; undefined for its current carrier. */
export async function withdrawalFrom(db: Db | Tx, actor: Actor, row: Carried): Promise<string | undefined> {
  return row.transportista_id === actor.id && row.estado !== 'cancelado' ? undefined : withdrawalMessage(db, actor, row.id);
}
