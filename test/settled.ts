import { sql } from 'kysely';
import type { Db } from '../server/db/open.ts';
import { until } from './until.ts';

/** Waits for transactions of other tests on the same server, because they hold back the feeds. */
export async function settled(db: Db): Promise<void> {
  const { rows } = await sql<{ now: string }>`SELECT pg_current_xact_id()::text AS now`.execute(db);
  const isOver = async () => {
    const { rows: answers } = await sql<{ over: boolean }>`
      SELECT pg_snapshot_xmin(pg_current_snapshot()) > ${rows[0]?.now}::xid8 AS over`.execute(db);
    return answers[0]?.over ?? false;
  };
  await until(isOver, () => 'a transaction goes on for too long', 20);
}
