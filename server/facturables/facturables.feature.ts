import type { Feature } from '../kit/feature.ts';
import { beginIva } from '../settings/iva.ts';
import { facturablesRoutes } from './facturables.routes.ts';
import { settleAll } from './settle.ts';

/** Rows for the shop's invoicing program, which add up to the delivered orders. */
export const facturablesFeature: Feature = {
  name: 'facturables',
  tables: { facturables: 'kept', facturables_seguimiento: 'passing' },
  routes: facturablesRoutes,
  jobs: ({ db }) => [{ name: 'facturables', cron: '* * * * *', run: () => settleAll(db) }],
  settingsChanged: async (tx, { changed }) => {
    if (changed.includes('iva')) await beginIva(tx);
  },
};
