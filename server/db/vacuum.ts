import { sql } from 'kysely';
import type { Db } from './open.ts';

/**
 * What PostgreSQL's autovacuum does by itself and the embedded database does not: gives the room of old rows back, and
 * counts anew the tables of which a tenth has changed, by which plans are made. Others wait for it, some tenths of a second.
 */
export async function vacuum(db: Db): Promise<void> {
  await sql`VACUUM`.execute(db);
  const { rows } = await sql<{ name: string }>`
    SELECT relid::regclass::text AS name FROM pg_stat_user_tables WHERE n_mod_since_analyze > 50 + n_live_tup / 10`.execute(db);
  for (const { name } of rows) await sql`ANALYZE ${sql.raw(name)}`.execute(db);
}
