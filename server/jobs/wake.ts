import { type Tx, wakeAfter } from '../db/open.ts';

export const JOBS_CHANNEL = 'enruta_jobs';

/** Names of all jobs, which features.ts and the features define. */
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
  'disco-lleno',
  'anonimizar',
  'pruebas',
  'sin-enviar',
  'tienda',
  'sondeo',
  'facturables',
  'archivo',
  'archivo-prueba',
  'certificado',
  'fin-del-dia',
  'velocidad',
] as const;
export type JobName = (typeof JOBS)[number];

/** Runs a job as soon as `tx` commits, instead of on schedule. */
export function emitJob(tx: Tx, name: JobName): void {
  wakeAfter(tx, { channel: JOBS_CHANNEL, payload: name });
}
