import { watch } from 'node:fs';
import { spoolOf } from '../db/embedded/wal-spool.ts';
import { openBucket } from '../files/bucket.ts';
import { JOBS_CHANNEL } from '../jobs/wake.ts';
import type { Feature } from '../kit/feature.ts';
import { archiveState, archives } from './chain.ts';
import { shipLog } from './ship.ts';

/** Archives the embedded PostgreSQL's write-ahead log in the bucket, so that any minute can be restored. */
export const archiveFeature: Feature = {
  name: 'archive',
  routes: (app, { config, signal }) => {
    if (!archives(config)) return;
    app.metrics?.addGauge(
      'enruta_archive_waiting_seconds',
      'Age of the oldest piece of the log that is not in the bucket',
      async () => archiveState(config.dataDir).seconds,
    );
    // Ships each piece at once; the schedule retries failed uploads.
    const watcher = watch(spoolOf(config.dataDir), (_, name) => {
      if (name?.endsWith('.gz')) signal({ channel: JOBS_CHANNEL, payload: 'archivo' });
    });
    watcher.on('error', () => {});
    app.addHook('onClose', async () => watcher.close());
  },
  jobs: ({ db, url, config }) => {
    const { s3, dataDir, secretKey } = config;
    const run = s3 && archives(config) ? () => shipLog({ db, url, bucket: openBucket(s3), dataDir, secretKey }) : async () => {};
    return [{ name: 'archivo', cron: '* * * * *', expireInSeconds: 7200, run }];
  },
};
