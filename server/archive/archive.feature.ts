import { watch } from 'node:fs';
import * as api from '../../contract/backups/backups.ts';
import { spoolFolder } from '../db/embedded/wal-spool.ts';
import { transact } from '../db/open.ts';
import { openBucket } from '../files/bucket.ts';
import { emitJob, JOBS_CHANNEL } from '../jobs/wake.ts';
import { conflict } from '../kit/errors.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { archiveState, archivesLog } from './chain.ts';
import { checkBucket, isTesting, readSeen, testArchive } from './look.ts';
import { endPiece, shipLog } from './ship.ts';

/** Archives the embedded PostgreSQL's write-ahead log in the bucket, so that any minute can be restored, and restores it daily as a test. */
export const archiveFeature: Feature = {
  name: 'archive',
  routes: (app, deps) => {
    const { db, config, log, signal } = deps;
    route(app, api.getArchivo, async () => ({ data: stateOf(deps) }));
    route(app, api.probarArchivo, async () => {
      if (!archivesLog(config)) throw conflict('En este servidor no hay archivo continuo: hace falta un cubo en las variables S3_…');
      if (isTesting()) throw conflict('Ya se está probando el archivo: espera a que acabe', 'already_running');
      await transact(db, async (tx) => emitJob(tx, 'archivo-prueba'));
      return { success: true, message: 'Prueba en curso', data: { ...stateOf(deps), probando: true } };
    });
    if (!archivesLog(config)) return;
    app.metrics?.addGauge(
      'enruta_archive_waiting_seconds',
      'Age of the oldest piece of the log that is not in the bucket',
      async () => archiveState(config.dataDir).seconds,
    );
    const ages = (): Record<string, number> => {
      const { hasta, probado_at, error } = readSeen(config.dataDir);
      const age = (at: string) => Math.round((Date.now() - Date.parse(at)) / 1000);
      return { ...(hasta && { reach: age(hasta) }), ...(probado_at && !error && { tested: age(probado_at) }) };
    };
    app.metrics?.addGauge(
      'enruta_archive_age_seconds',
      'Age of the newest moment that the bucket can restore, by its own list (reach), and of the last successful restore as a test (tested)',
      ages,
    );
    // Ships each piece at once; the schedule retries failed uploads.
    const watcher = watch(spoolFolder(config.dataDir), (_, name) => {
      if (name?.endsWith('.gz')) signal({ channel: JOBS_CHANNEL, payload: 'archivo' });
    });
    watcher.on('error', () => {});
    const end = () => endPiece(db).catch((err) => log.error({ err }, 'a piece of the log was not ended'));
    // Less than a minute, because statistics of a write come up to ten seconds late.
    const timer = setInterval(end, 50_000).unref();
    app.addHook('onClose', async () => {
      clearInterval(timer);
      watcher.close();
    });
  },
  jobs: ({ db, url, config, log }) => {
    const { s3, dataDir, secretKey } = config;
    const shipping = s3 && archivesLog(config) ? { db, url, bucket: openBucket(s3), dataDir, secretKey } : undefined;
    return [
      {
        name: 'archivo',
        cron: '* * * * *',
        expireInSeconds: 7200,
        run: async () => {
          if (!shipping) return;
          await shipLog(shipping);
          await checkBucket(shipping);
        },
      },
      {
        name: 'archivo-prueba',
        cron: '23 4 * * *',
        expireInSeconds: 7200,
        run: async () => {
          if (shipping) await testArchive({ ...shipping, log });
        },
      },
    ];
  },
};

function stateOf({ config }: Deps) {
  const seen = archivesLog(config) ? readSeen(config.dataDir) : {};
  return {
    activo: archivesLog(config),
    hasta: seen.hasta ?? null,
    mirado_at: seen.mirado_at ?? null,
    probado_at: seen.probado_at ?? null,
    probado_hasta: seen.probado_hasta ?? null,
    pedidos: seen.pedidos ?? null,
    error: seen.error ?? null,
    probando: isTesting(),
  };
}
