import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';

export const JOBS_CHANNEL = 'enruta_jobs';

/** Asks that a job run now rather than at its next time, once `tx` is committed. */
export async function emitJob(tx: Tx, name: string): Promise<void> {
  await sql`SELECT pg_notify(${JOBS_CHANNEL}, ${name})`.execute(tx);
}
