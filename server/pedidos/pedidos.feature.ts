import type { Feature } from '../kit/feature.ts';
import { pedidosRoutes } from './pedidos.routes.ts';
import { foldTotals, rebuildTotals } from './totals.ts';

/** Orders: lines, prices, states, payments, history, search and totals. */
export const pedidosFeature: Feature = {
  name: 'pedidos',
  tables: {
    pedidos: 'kept',
    pedidos_lineas: 'kept',
    pedidos_historial: 'kept',
    pedidos_totales_dia: 'kept',
    pedidos_totales_cambios: 'kept',
    intentos: 'kept',
    pagos: 'kept',
    entregas: 'kept',
    devoluciones: 'kept',
    devoluciones_lineas: 'kept',
    // Derived from orders and rebuilt by a restore.
    pedidos_busqueda: 'passing',
  },
  routes: pedidosRoutes,
  // Migration 017 also wakes the job every few hundred orders.
  jobs: ({ db, log }) => [{ name: 'totales', cron: '* * * * *', run: () => foldTotals(db, log) }],
  // Another time zone moves orders to other days.
  settingsChanged: async (tx, { changed }) => {
    if (changed.includes('timezone')) await rebuildTotals(tx);
  },
};
