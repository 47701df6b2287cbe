import type { Feature } from '../kit/feature.ts';
import { forgetOldKeys } from './create.ts';
import { pedidosRoutes } from './pedidos.routes.ts';
import { rebuildTotals } from './totals.ts';
import { tendUnpaid } from './unpaid.job.ts';

/** Orders. */
export const pedidosFeature: Feature = {
  name: 'pedidos',
  tables: {
    pedidos: 'kept',
    pedidos_historial: 'kept',
    pedidos_totales: 'kept',
    order_numbers: 'kept',
    pagos: 'kept',
    idempotency_keys: 'passing',
  },
  routes: pedidosRoutes,
  jobs: ({ db }) => [{ name: 'impagados', cron: '*/10 * * * *', run: () => tendUnpaid(db) }],
  clean: forgetOldKeys,
  // Another time zone moves orders to other days.
  settingsChanged: async (tx, changed) => {
    if (changed.includes('timezone')) await rebuildTotals(tx);
  },
};
