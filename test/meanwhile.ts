import { sql } from 'kysely';
import { type Db, type Tx, transact } from '../server/db/open.ts';
import { until } from './until.ts';

/** Runs `work` while another transaction is open that has run `first`; `end` commits the other transaction. */
export async function meanwhile<T>(
  db: Db,
  first: (tx: Tx) => Promise<unknown>,
  work: (end: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const [done, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const open = transact(db, async (tx) => {
    await first(tx);
    done.resolve();
    await ending.promise;
  });
  await done.promise;
  const end = async () => {
    ending.resolve();
    await open;
  };
  try {
    return await work(end);
  } finally {
    await end();
  }
}

/** Waits until a statement is blocked by a lock. */
export const waitForLock = (db: Db): Promise<void> =>
  until(
    async () => {
      const { rows } = await sql<{ n: number }>`
        SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
      return Number(rows[0]?.n) > 0;
    },
    () => 'nothing waits for a lock',
    30,
  );

/** True if no transaction has locked the row. */
export const isFree = (db: Db, table: string, id: string): Promise<boolean> =>
  sql`SELECT 1 FROM ${sql.table(table)} WHERE id = ${id} FOR UPDATE NOWAIT`.execute(db).then(
    () => true,
    () => false,
  );
