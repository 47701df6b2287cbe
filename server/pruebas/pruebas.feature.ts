import { openFiles } from '../files/open-files.ts';
import type { Feature } from '../kit/feature.ts';
import { pruebasRoutes } from './pruebas.routes.ts';
import { deleteLeftOver, deleteWithdrawn, withdrawOld } from './term.ts';

/** Proof of delivery: signatures and photos, sealed in a chain. */
export const pruebasFeature: Feature = {
  name: 'pruebas',
  tables: { pruebas: 'kept' },
  routes: pruebasRoutes,
  jobs: ({ db, config }) => [
    {
      name: 'pruebas',
      cron: '*/15 * * * *',
      run: async () => {
        const files = openFiles(config);
        await withdrawOld(db);
        await deleteWithdrawn(db, files);
        await deleteLeftOver(db, files);
      },
    },
  ],
};
