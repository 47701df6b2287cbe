import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';

export const JOBS_CHANNEL = 'enruta_jobs';

/** Names of all jobs; each is defined by the feature it belongs to. */
export const JOBS = ['vacuum', 'correo', 'push', 'impagados', 'exportar', 'copias', 'limpieza'] as const;
export type JobName = (typeof JOBS)[number];

/** Makes a job run as soon as `tx` commits, instead of at its next scheduled time. */
export async function emitJob(tx: Tx, name: JobName): Promise<void> {
  await sql`SELECT pg_notify(${JOBS_CHANNEL}, ${name})`.execute(tx);
}
