import { sql } from 'kysely';
import type { Db } from '../server/db/open.ts';

/** Returns every row of every table as sorted text, by table name. Includes the tables of the job queue. */
export async function dumpOf(db: Db): Promise<Map<string, string[]>> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
    WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2`.execute(db);
  const dump = new Map<string, string[]>();
  for (const { schema, name } of tables) {
    const { rows } = await sql<{
      row: string;
    }>`SELECT to_jsonb(t)::text AS row FROM ${sql.table(`${schema}.${name}`)} t ORDER BY 1`.execute(db);
    dump.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return dump;
}
