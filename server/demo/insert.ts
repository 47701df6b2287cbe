import { type Insertable, sql } from 'kysely';
import type { Tx } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';

type JsonColumn = 'cambios' | 'antes' | 'despues';
/** A row to insert; its jsonb columns hold objects here, because the whole row travels as JSON. */
export type Row<T extends keyof Tables> = {
  [K in keyof Insertable<Tables[T]>]: K extends JsonColumn ? Record<string, unknown> : Insertable<Tables[T]>[K];
};

const BATCH = 2000;

/** Inserts rows that all have the same keys. A batch is one parameter: far quicker than one for each value. */
export async function insertMany<T extends keyof Tables & string>(tx: Tx, table: T, rows: Row<T>[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = sql.join(Object.keys(first).map((name) => sql.ref(name)));
  for (let i = 0; i < rows.length; i += BATCH) {
    const batch = JSON.stringify(rows.slice(i, i + BATCH));
    await sql`INSERT INTO ${sql.table(table)} (${columns})
      SELECT ${columns} FROM json_populate_recordset(NULL::${sql.table(table)}, ${batch}::json)`.execute(tx);
  }
}
