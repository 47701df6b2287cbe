import { type SqlBool, sql } from 'kysely';
import type { AuditEntry, listLogs as endpoint, LogEntry, listAudit } from '../../contract/audit/audit.ts';
import { AUDIT_TYPES, type AuditType } from '../../contract/audit/fields.ts';
import { logEntry } from '../../contract/audit/schemas.ts';
import { asCountedPage, type Paged, type QueryOut } from '../../contract/kit/endpoint.ts';
import { seenIn } from '../../contract/pedidos/access.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { countRows, type Db, onPage, transact } from '../db/open.ts';
import { UNPREPARED } from '../db/pool.ts';
import { notFound } from '../kit/errors.ts';
import { audit } from './audit.ts';

const COLUMNS = logEntry.keyof().options;

type Query = QueryOut<typeof endpoint>;

/** Returns one page of the audit log, newest first, with only the order fields that the actor can see. */
export async function listLogs(db: Db, actor: Actor, { page, per_page, contar, ...filters }: Query): Promise<Paged<LogEntry>> {
  const query = matching(db, filters);
  const [data, n] = await Promise.all([
    query.select(COLUMNS).orderBy('created_at', 'desc').orderBy('id', 'desc').$call(onPage({ page, per_page })).execute(),
    countRows(db, query.select('id'), contar),
  ]);
  return asCountedPage(
    data.map((row) => presentFor(actor, row)),
    n,
    { page, per_page, contar },
  );
}

function presentFor(actor: Actor, row: LogEntry): LogEntry {
  if (row.entity_type !== 'pedido') return row;
  return { ...row, antes: row.antes && seenIn(actor, row.antes), despues: row.despues && seenIn(actor, row.despues) };
}

function matching(db: Db, { ids, action, entity_type, search = '', actor, desde, hasta }: Omit<Query, 'page' | 'per_page' | 'contar'>) {
  let query = db.selectFrom('audit_logs').where('hidden_at', 'is', null);
  if (ids) query = query.where('id', 'in', ids);
  if (action) query = query.where('action', '=', action);
  if (entity_type) query = query.where('entity_type', '=', entity_type as 'pedido');
  if (actor) query = query.where('actor_user_id', actor === 'sistema' ? 'is' : '=', actor === 'sistema' ? null : actor);
  // The index is on instants: a range one day wider uses the index, and the comparison of days is exact.
  if (desde) query = query.where(sql<SqlBool>`created_at >= ${desde}::date - 1 AND dia_negocio(created_at) >= ${desde}::date`);
  if (hasta) query = query.where(sql<SqlBool>`created_at < ${hasta}::date + 2 AND dia_negocio(created_at) <= ${hasta}::date`);
  for (const word of search.split(/\s+/).filter(Boolean)) query = query.where(holds(word));
  return query;
}

// Must be the same expression as in the index `audit_logs_texto`.
const holds = (word: string) =>
  sql<SqlBool>`normaliza(' ' || description || ' ' || actor_nombre) LIKE normaliza(${`%${word.replace(/[\\%_]/g, '\\$&')}%`}) ${UNPREPARED}`;

/** Hides a row of the log without deleting it, and logs who hid it. Throws 404. */
export async function hideLog(db: Db, actor: Actor, id: string): Promise<void> {
  await transact(db, async (tx) => {
    const row = await tx
      .updateTable('audit_logs')
      .set({ hidden_at: sql`now()` })
      .where('id', '=', id)
      .where('hidden_at', 'is', null)
      .returning(['id', 'action', 'entity_type', 'description', 'created_at'])
      .executeTakeFirstOrThrow(() => notFound());
    await audit(tx, actor, {
      action: 'delete',
      entity_type: 'audit',
      entity_id: row.id,
      description: `Registro ocultado: ${row.description}`,
      antes: row,
    });
  });
}

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
