import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type Backup = z.infer<typeof schemas.backup>;

export const VERIFICACION: Record<NonNullable<Backup['verificacion']>, string> = {
  restaurada: 'restaurada aparte',
  recuento: 'recuento y sumas de comprobación',
};

export const listBackups = endpoint<typeof schemas.listBackups>()('GET', '/api/copias', 'backup:manage');

export const createBackup = endpoint<typeof schemas.createBackup>()('POST', '/api/copias', { action: 'backup:manage', stepUp: true });

export const downloadBackup = endpoint<typeof schemas.downloadBackup>()('GET', '/api/copias/:id/archivo', {
  action: 'backup:manage',
  stepUp: true,
});

export type Archivo = z.infer<typeof schemas.archivo>;

export const getArchivo = endpoint<typeof schemas.getArchivo>()('GET', '/api/copias/archivo', 'backup:manage');

export const probarArchivo = endpoint<typeof schemas.probarArchivo>()('POST', '/api/copias/archivo/prueba', 'backup:manage');
