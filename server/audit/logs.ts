import { sql } from 'kysely';
import { type listLogs as endpoint, type LogEntry, logEntry } from '../../contract/audit.ts';
import { asPage, type Paged, type QueryOut } from '../../contract/kit.ts';
import type { Actor } from '../../contract/policy.ts';
import { type Db, transact } from '../db/open.ts';
import { notFound } from '../kit/errors.ts';
import { audit } from './audit.ts';

const COLUMNS = logEntry.keyof().options;

/** Lists one page of the audit log, newest first. */
export async function listLogs(db: Db, { page, per_page, action, entity_type }: QueryOut<typeof endpoint>): Promise<Paged<LogEntry>> {
  let query = db.selectFrom('audit_logs').where('hidden_at', 'is', null);
  if (action) query = query.where('action', '=', action);
  if (entity_type) query = query.where('entity_type', '=', entity_type as 'pedido');
  const [data, { total }] = await Promise.all([
    query
      .select(COLUMNS)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(per_page)
      .offset((page - 1) * per_page)
      .execute(),
    query.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ]);
  return asPage(data, total, { page, per_page });
}

/** Hides a row of the log without deleting it, and logs who hid it. */
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
      type: 'configuracion',
      action: 'delete',
      entity_type: 'audit',
      entity_id: row.id,
      description: `Registro ocultado: ${row.description}`,
      antes: row,
    });
  });
}
