import type { Feature } from '../kit/feature.ts';
import { clientesRoutes } from './clientes.routes.ts';

/** Known customers, derived from the orders. */
export const clientesFeature: Feature = {
  name: 'clientes',
  routes: clientesRoutes,
};
