import type { Feature } from '../kit/feature.ts';
import { tendBackups } from './backups.job.ts';
import { backupsRoutes } from './backups.routes.ts';
import { ageOfBackup } from './backups.ts';
import { holdingOf } from './tables.ts';

/** Backups of the whole database, verified by restoring them. */
export const backupsFeature: Feature = {
  name: 'backups',
  tables: { backups: 'apart' },
  routes: (app, deps) => {
    app.metrics?.addGauge('enruta_backup_age_seconds', 'Age of the last verified backup; absent without one', () => ageOfBackup(deps.db));
    backupsRoutes(app, deps);
  },
  jobs: ({ db, url, config, features }) => [
    {
      name: 'copias',
      cron: '*/10 * * * *',
      expireInSeconds: 7200,
      run: () => tendBackups(db, { ...config, url, holding: holdingOf(features) }),
    },
  ],
};
