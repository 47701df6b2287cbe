import { type Tx, wakeAfter } from '../db/open.ts';

export const JOBS_CHANNEL = 'enruta_jobs';

/** Names of all jobs; each is defined by the feature it belongs to. */
export const JOBS = [
  'correo',
  'push',
  'webhook',
  'impagados',
  'totales',
  'exportar',
  'copias',
  'cuadre',
  'limpieza',
  'disco',
  'anonimizar',
] as const;
export type JobName = (typeof JOBS)[number];

/** Makes a job run as soon as `tx` commits, instead of at its next scheduled time. */
export function emitJob(tx: Tx, name: JobName): void {
  wakeAfter(tx, { channel: JOBS_CHANNEL, payload: name });
}
