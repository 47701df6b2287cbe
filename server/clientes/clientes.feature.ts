import type { Feature } from '../kit/feature.ts';
import { clientesRoutes } from './clientes.routes.ts';

/** Customers, derived from orders by triggers (migration 031). */
export const clientesFeature: Feature = {
  name: 'clientes',
  tables: { clientes: 'kept' },
  routes: clientesRoutes,
};
