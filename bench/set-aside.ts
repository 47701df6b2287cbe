import { sql } from 'kysely';
import type { Db } from '../server/db/open.ts';
import { withoutTimeout } from '../server/db/pool.ts';

type Aside = { drop: string; make: string };

/**
 * Runs `work` without the indexes and foreign keys of the tables it fills, and restores them even after an error.
 * Building an index once is much faster than inserting a million times. Only for a database that is not in use.
 */
export async function withoutIndexes(db: Db, tables: string[], work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<Aside>`
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
    FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY (${tables}::regclass[])
    UNION ALL
    SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    FROM pg_index WHERE NOT indisunique AND indrelid = ANY (${tables}::regclass[])`.execute(db);
  const run = (statements: string[]) =>
    db.connection().execute((connection) =>
      withoutTimeout(connection, async () => {
        for (const statement of statements) await sql.raw(statement).execute(connection);
      }),
    );
  try {
    await run(rows.map(({ drop }) => drop));
    await work();
  } finally {
    // Reversed, because indexes are last in the list and speed up the check of foreign keys.
    await run(rows.map(({ make }) => make).reverse());
  }
}
