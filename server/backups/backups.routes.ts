import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/backups.ts';
import type { Db } from '../db/open.ts';
import { route } from '../kit/route.ts';
import { createBackup, listBackups, readBackupFile } from './backups.ts';

/** Backups in `folder`: list, ask for one, download. */
export function backupsRoutes(app: FastifyInstance, db: Db, folder: string): void {
  route(app, api.listBackups, async () => ({ data: await listBackups(db) }));
  route(app, api.createBackup, async ({ actor }) => ({
    success: true,
    message: 'Copia en curso',
    data: await createBackup(db, actor),
  }));
  route(app, api.downloadBackup, async ({ actor, params, reply }) => {
    const { nombre, size, content } = await readBackupFile(db, actor, folder, params.id);
    reply
      .header('content-type', api.downloadBackup.response.file)
      .header('content-length', size)
      .header('content-disposition', `attachment; filename="${nombre}"`);
    reply.send(content);
    return undefined;
  });
}
