import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';

export const JOBS_CHANNEL = 'enruta_jobs';

/** Every job by its name; each belongs to one feature, which says when it runs and what it does. */
export const JOBS = ['vacuum', 'correo', 'push', 'impagados', 'exportar', 'copias', 'limpieza'] as const;
export type JobName = (typeof JOBS)[number];

/** Asks that a job run now rather than at its next time, once `tx` is committed. */
export async function emitJob(tx: Tx, name: JobName): Promise<void> {
  await sql`SELECT pg_notify(${JOBS_CHANNEL}, ${name})`.execute(tx);
}
