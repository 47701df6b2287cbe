import { z } from 'zod';
import { doneWith, id, idsQuery, isoInstant, operation } from '../kit/schemas.ts';

export const backup = z.object({
  id,
  nombre: z.string(),
  origen: z.enum(['manual', 'programada']),
  estado: z
    .enum(['en_curso', 'verificada', 'error'])
    .describe('`verificada`: read back from disk and found complete; `verificacion` says how'),
  verificacion: z
    .enum(['restaurada', 'recuento'])
    .nullable()
    .describe('`restaurada`: restored into an empty database and compared; `recuento`: only rows and sums compared'),
  fase: z.enum(['leyendo', 'comprimiendo', 'comprobando']).nullable(),
  hechas: z.number(),
  total: z.number(),
  size: z.number().nullable(),
  filas: z.number().nullable(),
  error: z.string().nullable(),
  created_at: isoInstant,
  verified_at: isoInstant.nullable(),
  fuera_at: isoInstant.nullable().describe('When the copy in the bucket was read back and found equal'),
  fuera_error: z.string().nullable(),
});

export const listBackups = operation('The backups that are kept, newest first', {
  query: z.strictObject(idsQuery),
  200: z.object({ data: z.array(backup) }),
});

export const createBackup = operation('Begin a backup; it is made and verified in the background', { 201: doneWith(backup) });

export const downloadBackup = operation('The file of a verified backup, encrypted', { file: 'application/octet-stream' });

export const archivo = z.object({
  activo: z.boolean().describe('False where no log goes to a bucket'),
  hasta: isoInstant.nullable().describe('Newest moment that the bucket can restore, by its own list'),
  mirado_at: isoInstant.nullable().describe('When the list of the bucket was read'),
  probado_at: isoInstant.nullable().describe('Last time that the archive was restored as a test'),
  probado_hasta: isoInstant.nullable().describe('Moment of the last change in that restore'),
  pedidos: z.number().nullable().describe('Orders counted in that restore'),
  error: z.string().nullable().describe('Why that restore failed'),
  probando: z.boolean(),
});

export const getArchivo = operation('Until when the archive in the bucket can restore the database', { 200: z.object({ data: archivo }) });

export const probarArchivo = operation('Restore the archive from the bucket into an empty database, as a test; it runs in the background', {
  201: doneWith(archivo),
});
