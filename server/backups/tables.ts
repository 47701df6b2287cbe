import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';

export type Table = { name: string; columns: string[] };
/** Rows of a table, and a sum over their lines that does not depend on their order. */
export type Tally = Record<string, { rows: number; sum: string }>;

/** What is no part of the business: who is signed in, what can be made again, and the backups themselves. */
const PASSING = ['sessions', 'login_attempts', 'one_time_tokens', 'idempotency_keys', 'exports'];
const LEFT_OUT = [...PASSING, 'backups', 'kysely_migration', 'kysely_migration_lock'];

/** The passing tables that this version of the schema has. */
export async function passingTables(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename = ANY (${PASSING}::text[])`.execute(tx);
  return rows.map(({ name }) => name);
}

/**
 * Every table that a backup holds, each after those that it refers to, with its columns but the generated ones.
 * A table that a later migration adds is in it without being named here.
 */
export async function businessTables(tx: Tx): Promise<Table[]> {
  const { rows: tables } = await sql<Table>`
    SELECT c.table_name::text AS name, json_agg(c.column_name::text ORDER BY c.ordinal_position) AS columns
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
      AND NOT c.table_name = ANY (${LEFT_OUT}::text[])
    GROUP BY 1 ORDER BY 1`.execute(tx);
  const { rows: references } = await sql<{ child: string; parent: string }>`
    SELECT child.relname::text AS child, parent.relname::text AS parent
    FROM pg_constraint k JOIN pg_class child ON child.oid = k.conrelid JOIN pg_class parent ON parent.oid = k.confrelid
    WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace AND child.oid <> parent.oid`.execute(tx);
  const sorted: Table[] = [];
  while (sorted.length < tables.length) {
    const waiting = tables.filter((table) => !sorted.includes(table));
    const names = new Set(waiting.map(({ name }) => name));
    const ready = waiting.filter(({ name }) => !references.some(({ child, parent }) => child === name && names.has(parent)));
    if (ready.length === 0) throw new Error(`tables that refer to each other: ${[...names].join(', ')}`);
    sorted.push(...ready);
  }
  return sorted;
}

/** The rows of a table, or of a range of its pages, as the text that is written, summed and compared. */
export function linesOf({ name, columns }: Table, pages?: { from: number; to: number }) {
  const range = pages ? sql`WHERE ctid >= ${`(${pages.from},0)`}::tid AND ctid < ${`(${pages.to},0)`}::tid` : sql``;
  return sql<{ line: string }>`SELECT row_to_json(t)::text AS line FROM (SELECT ${refs(columns)} FROM ${sql.table(name)} ${range}) t`;
}

/** Column names as a list in SQL. */
export const refs = (columns: string[]) => sql.join(columns.map((column) => sql.ref(column)));

/** What is really in the tables; the same sum as `readBackup` makes line by line. */
export async function tallyOf(tx: Tx, tables: Table[]): Promise<Tally> {
  const tally: Tally = {};
  for (const table of tables) {
    const { rows } = await sql<{ rows: number; sum: string }>`
      SELECT count(*) AS rows, coalesce(sum(('x' || substr(md5(line), 1, 15))::bit(60)::bigint), 0)::text AS sum
      FROM (${linesOf(table)}) l`.execute(tx);
    if (rows[0]) tally[table.name] = rows[0];
  }
  return tally;
}
