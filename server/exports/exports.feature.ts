import type { Feature } from '../kit/feature.ts';
import { buildExports } from './build.job.ts';
import { exportsRoutes } from './exports.routes.ts';

/** Exports of orders and people as Excel and CSV. */
export const exportsFeature: Feature = {
  name: 'exports',
  tables: { exports: 'passing' },
  routes: exportsRoutes,
  jobs: ({ db, freeRoom }) => [{ name: 'exportar', cron: '*/5 * * * *', expireInSeconds: 1800, run: () => buildExports(db, freeRoom) }],
};
