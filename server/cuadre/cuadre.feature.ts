import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/cuadre/cuadre.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { openFiles } from '../files/open-files.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { verifyFiles } from '../pruebas/verify.ts';
import { cuadreFigures, EXPIRES, readCuadre, runCuadre, startCuadre } from './cuadre.ts';

/** Nightly recount, which checks that redundant values agree. */
export const cuadreFeature: Feature = {
  name: 'cuadre',
  tables: { cuadres: 'passing' },
  routes,
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

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.getCuadre, async () => ({ data: await readCuadre(db) }));
  route(app, api.startCuadre, async () => asDone('Comprobando las cuentas', await startCuadre(db)));
  app.metrics?.addGauge('enruta_cuadre', 'Last recount of the books: differences found, and its age in seconds', () => cuadreFigures(db));
}
