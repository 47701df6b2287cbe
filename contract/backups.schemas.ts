import { z } from 'zod';
import { doneWith, id, instant } from './kit.schemas.ts';
import type { Schemas } from './kit.ts';

export const backup = z.object({
  id,
  nombre: z.string(),
  origen: z.enum(['manual', 'programada']),
  /** `verificada`: read back from the disk and found complete, in the way of `verificacion`. */
  estado: z.enum(['en_curso', 'verificada', 'error']),
  /**
   * `restaurada`: restored into an empty database and compared; `recuento`: rows and sums of every table compared, where
   * there was no database to restore it into.
   */
  verificacion: z.enum(['restaurada', 'recuento']).nullable(),
  /** While in course: what is being done, and how much of how much (rows, or bytes while compressing). */
  fase: z.enum(['leyendo', 'comprimiendo', 'comprobando']).nullable(),
  hechas: z.number(),
  total: z.number(),
  /** Size in bytes, once the file is written. */
  size: z.number().nullable(),
  /** Rows across all tables. */
  filas: z.number().nullable(),
  /** Why it failed: a Spanish sentence. */
  error: z.string().nullable(),
  created_at: instant,
  verified_at: instant.nullable(),
});

export const listBackups = {
  summary: 'The backups that are kept, newest first',
  response: { 200: z.object({ data: z.array(backup) }) },
} satisfies Schemas;

export const createBackup = {
  summary: 'Begin a backup; it is made and verified in the background',
  response: { 201: doneWith(backup) },
} satisfies Schemas;

export const downloadBackup = {
  summary: 'The file of a verified backup, encrypted',
  response: { file: 'application/octet-stream' },
} satisfies Schemas;
