import { type Insertable, type Selectable, sql } from 'kysely';
import type { Tx } from '../server/db/open.ts';
import type { Tables } from '../server/db/schema.ts';

/** A row with its types as selected, not as inserted, because rows are sent as JSON. */
export type Row<T extends keyof Tables> = {
  [K in keyof Insertable<Tables[T]>]: K extends keyof Selectable<Tables[T]> ? Selectable<Tables[T]>[K] : never;
};

const BATCH = 2000;

/** Inserts rows with equal keys; one JSON parameter per batch is far faster than one per value. */
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
