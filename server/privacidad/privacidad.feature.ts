import type { Feature } from '../kit/feature.ts';
import { privacidadRoutes } from './privacidad.routes.ts';
import { anonymiseDue, CRON } from './term.job.ts';

/** Personal data of customers: found, exported, blocked, anonymised. */
export const privacidadFeature: Feature = {
  name: 'privacidad',
  tables: { datos_bloqueados: 'kept' },
  routes: privacidadRoutes,
  jobs: ({ db }) => [{ name: 'anonimizar', cron: CRON, expireInSeconds: 7200, run: () => anonymiseDue(db) }],
};
