import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';
import type { Feature, Keeping } from '../kit/feature.ts';

export type Table = { name: string; columns: string[] };
/** Row count and order-independent checksum of the lines of each table. */
export type Tally = Record<string, { rows: number; sum: string }>;

/** How a restore treats each table, as declared by the features. */
export type Holding = Record<string, Keeping>;
export const tablesOnRestore = (features: readonly Feature[]): Holding => Object.assign({}, ...features.map(({ tables }) => tables));

const namesOf = (holding: Holding, keeping: Keeping) => Object.keys(holding).filter((name) => holding[name] === keeping);

export async function passingTables(tx: Tx, holding: Holding): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT tablename::text AS name FROM pg_tables
    WHERE schemaname = current_schema() AND tablename = ANY (${namesOf(holding, 'passing')}::text[])`.execute(tx);
  return rows.map(({ name }) => name);
}

/** Lists the tables declared `kept` with their non-generated columns, referenced tables first. Without `holding` lists all tables. */
export async function keptTables(tx: Tx, holding: Holding | undefined): Promise<Table[]> {
  const which = holding
    ? sql`c.table_name = ANY (${namesOf(holding, 'kept')}::text[])`
    : sql`c.table_name NOT IN ('kysely_migration', 'kysely_migration_lock')`;
  const { rows: tables } = await sql<Table>`
    SELECT c.table_name::text AS name, json_agg(c.column_name::text ORDER BY c.ordinal_position) AS columns
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
      AND ${which}
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

/** Selects the rows of a table, or of a range of its pages, as the JSON lines of a backup. */
export function selectLines({ name, columns }: Table, pages?: { from: number; to: number }) {
  const range = pages ? sql`WHERE ctid >= ${`(${pages.from},0)`}::tid AND ctid < ${`(${pages.to},0)`}::tid` : sql``;
  return sql<{
    line: string;
  }>`SELECT row_to_json(t)::text AS line FROM (SELECT ${foreignKeys(columns)} FROM ${sql.table(name)} ${range}) t`;
}

export const foreignKeys = (columns: string[]) => sql.join(columns.map((column) => sql.ref(column)));

export async function countTable(tx: Tx, tables: Table[]): Promise<{ total: number; of: Map<string, number> }> {
  const of = new Map<string, number>();
  for (const { name } of tables) {
    const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(name)}`.execute(tx);
    of.set(name, rows[0]?.n ?? 0);
  }
  return { total: [...of.values()].reduce((sum, n) => sum + n, 0), of };
}

/** Tallies the tables in SQL; `readBackup` computes the same sum line by line. */
export async function tallyTables(tx: Tx, tables: Table[]): Promise<Tally> {
  const tally: Tally = {};
  for (const table of tables) {
    const { rows } = await sql<{ rows: number; sum: string }>`
      SELECT count(*) AS rows, coalesce(sum(('x' || substr(md5(line), 1, 15))::bit(60)::bigint), 0)::text AS sum
      FROM (${selectLines(table)}) l`.execute(tx);
    if (rows[0]) tally[table.name] = rows[0];
  }
  return tally;
}
