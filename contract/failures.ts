import { z } from 'zod';
import { endpoint, instant } from './kit.ts';

export const failure = z.object({
  name: z.string(),
  titulo: z.string(),
  /** What to do about it, in Spanish. */
  consejo: z.string(),
  /** Technical reason without personal data. */
  motivo: z.string(),
  /** Failed runs in a row. */
  veces: z.number(),
  desde: instant,
  ultima_vez: instant,
});
export type Failure = z.infer<typeof failure>;

export const listFailures = endpoint('GET', '/api/tareas/errores', {
  action: 'job:read',
  summary: 'Background jobs whose last run failed',
  response: { 200: z.object({ data: z.array(failure) }) },
});
