import { openFiles } from '../files/open-files.ts';
import type { Feature } from '../kit/feature.ts';
import { verifyFiles } from '../pruebas/verify.ts';
import { cuadreRoutes } from './cuadre.routes.ts';
import { EXPIRES, runCuadre } from './cuadre.ts';

/** Nightly recount: redundant values must agree. */
export const cuadreFeature: Feature = {
  name: 'cuadre',
  tables: { cuadres: 'passing' },
  routes: cuadreRoutes,
  jobs: ({ db, config }) => [
    {
      name: 'cuadre',
      cron: '30 3 * * *',
      expireInSeconds: EXPIRES,
      run: async () => {
        await verifyFiles(db, openFiles(config));
        await runCuadre(db);
      },
    },
  ],
};
