import { sql } from 'kysely';
import type { Db } from './open.ts';

/**
 * Stands in for PostgreSQL's autovacuum, which PGlite lacks: reclaims the space of dead rows and refreshes the planner
 * statistics of tables of which a tenth has changed. Requests wait meanwhile, for some tenths of a second.
 */
export async function vacuum(db: Db): Promise<void> {
  await sql`VACUUM`.execute(db);
  const { rows } = await sql<{ name: string }>`
    SELECT relid::regclass::text AS name FROM pg_stat_user_tables WHERE n_mod_since_analyze > 50 + n_live_tup / 10`.execute(db);
  for (const { name } of rows) await sql`ANALYZE ${sql.raw(name)}`.execute(db);
}
