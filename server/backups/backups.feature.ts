import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/backups/backups.ts';
import * as schemas from '../../contract/backups/schemas.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { openBucket } from '../files/bucket.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { tendBackups } from './backups.job.ts';
import { ageOfBackup, ageOffSite, createBackup, listBackups, readBackupFile, refuseFailed, takeOffSite } from './backups.ts';
import { tablesOnRestore } from './tables.ts';

/** Backups of the whole database, each verified, by a test restore where possible. */
export const backupsFeature: Feature = {
  name: 'backups',
  tables: { backups: 'apart' },
  routes: (app, deps) => {
    app.metrics?.addGauge('enruta_backup_age_seconds', 'Age of the last verified backup; absent without one', () => ageOfBackup(deps.db));
    app.metrics?.addGauge('enruta_backup_offsite_age_seconds', 'Age of the last backup that was read back in the bucket', async () => {
      const seconds = await ageOffSite(deps.db);
      return (seconds === undefined ? {} : { verified: seconds }) as Record<string, number>;
    });
    backupsRoutes(app, deps);
  },
  jobs: ({ db, url, config, features }) => [
    {
      name: 'copias',
      cron: '*/10 * * * *',
      expireInSeconds: 7200,
      run: async () => {
        await tendBackups(db, { ...config, url, holding: tablesOnRestore(features) });
        if (config.s3) await takeOffSite(db, openBucket(config.s3), config);
        await refuseFailed(db);
      },
    },
  ],
};

function backupsRoutes(app: FastifyInstance, { db, config: { backupDir } }: Deps): void {
  route(app, api.listBackups, async () => ({ data: await listBackups(db) }));
  route(app, api.createBackup, async ({ actor }) => asDone('Copia en curso', await createBackup(db, actor)));
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
