import type { Feature } from '../kit/feature.ts';
import { devolucionesRoutes } from './devoluciones.routes.ts';

/** Returns: goods that customers give back after the delivery, or did not take (rows in server/pedidos/devuelto.ts). */
export const devolucionesFeature: Feature = {
  name: 'devoluciones',
  routes: devolucionesRoutes,
};
