import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/backups/backups.ts';
import * as schemas from '../../contract/backups/schemas.ts';
import type { Deps } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { createBackup, listBackups, readBackupFile } from './backups.ts';

export function backupsRoutes(app: FastifyInstance, { db, config: { backupDir } }: Deps): void {
  route(app, api.listBackups, async () => ({ data: await listBackups(db) }));
  route(app, api.createBackup, async ({ actor }) => ({
    success: true,
    message: 'Copia en curso',
    data: await createBackup(db, actor),
  }));
  route(app, api.downloadBackup, async ({ actor, params, reply }) => {
    const { nombre, size, content } = await readBackupFile(db, actor, backupDir, params.id);
    reply
      .header('content-type', schemas.downloadBackup.response.file)
      .header('content-length', size)
      .header('content-disposition', `attachment; filename="${nombre}"`);
    reply.send(content);
    return undefined;
  });
}
