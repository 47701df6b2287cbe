import type { Feature } from '../kit/feature.ts';
import { cuadreRoutes } from './cuadre.routes.ts';
import { EXPIRES, runCuadre } from './cuadre.ts';

/** Nightly recount: redundant values must agree. */
export const cuadreFeature: Feature = {
  name: 'cuadre',
  tables: { cuadres: 'passing' },
  routes: cuadreRoutes,
  jobs: ({ db }) => [{ name: 'cuadre', cron: '30 3 * * *', expireInSeconds: EXPIRES, run: () => runCuadre(db) }],
};
