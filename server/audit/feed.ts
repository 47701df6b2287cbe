import { sql } from 'kysely';
import type { AuditEntry, listAudit } from '../../contract/audit/audit.ts';
import { AUDIT_TYPES, type AuditType } from '../../contract/audit/fields.ts';
import type { QueryOut } from '../../contract/kit/endpoint.ts';
import type { Db } from '../db/open.ts';

/** Lists up to `limit` visible log entries of the last 24 hours, newest first (specification, section 2.4). Omits failed sign-ins without a known account. */
export async function auditFeed(db: Db, { limit, ids }: QueryOut<typeof listAudit>): Promise<AuditEntry[]> {
  const rows = await db
    .selectFrom('audit_logs')
    .select(['id', 'type', 'action', 'description', 'created_at', 'actor_nombre', 'entity_type', 'entity_id', 'actor_role'])
    .where('hidden_at', 'is', null)
    .where('created_at', '>', sql<string>`now() - interval '24 hours'`)
    .where((eb) => eb.or([eb('action', '<>', 'login_failed'), eb('entity_id', 'is not', null)]))
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ actor_nombre, entity_type, entity_id, actor_role, type, ...row }) => ({
    ...row,
    type: knownType(type),
    user: actor_nombre || 'Sistema',
    meta: { entity_type, entity_id, actor_role },
  }));
}

const knownType = (type: string): AuditType => AUDIT_TYPES.find((known) => known === type) ?? 'configuracion';
