import type { Feature } from '../kit/feature.ts';
import { clientesRoutes } from './clientes.routes.ts';

/** Known customers, read from the orders. */
export const clientesFeature: Feature = {
  name: 'clientes',
  routes: clientesRoutes,
};
