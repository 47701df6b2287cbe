import { z } from 'zod';
import { doneWith, endpoint, id, instant } from './kit.ts';

export const backup = z.object({
  id,
  nombre: z.string(),
  origen: z.enum(['manual', 'programada']),
  /** `verificada`: restored into an empty database and found complete. */
  estado: z.enum(['en_curso', 'verificada', 'error']),
  /** Size in bytes, once the file is written. */
  size: z.number().nullable(),
  /** Rows across all tables. */
  filas: z.number().nullable(),
  /** Why it failed: a Spanish sentence. */
  error: z.string().nullable(),
  created_at: instant,
  verified_at: instant.nullable(),
});
export type Backup = z.infer<typeof backup>;

export const listBackups = endpoint('GET', '/api/copias', {
  action: 'backup:manage',
  summary: 'The backups that are kept, newest first',
  response: { 200: z.object({ data: z.array(backup) }) },
});
export const createBackup = endpoint('POST', '/api/copias', {
  action: 'backup:manage',
  stepUp: true,
  summary: 'Begin a backup; it is made and verified in the background',
  response: { 201: doneWith(backup) },
});
export const downloadBackup = endpoint('GET', '/api/copias/:id/archivo', {
  action: 'backup:manage',
  stepUp: true,
  summary: 'The file of a verified backup, encrypted',
  response: { file: 'application/octet-stream' },
});
