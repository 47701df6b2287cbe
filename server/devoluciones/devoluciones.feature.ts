import type { Feature } from '../kit/feature.ts';
import { devolucionesRoutes } from './devoluciones.routes.ts';

/** Returns: goods that customers give back after the delivery. */
export const devolucionesFeature: Feature = {
  name: 'devoluciones',
  tables: { devoluciones: 'kept', devoluciones_lineas: 'kept' },
  routes: devolucionesRoutes,
};
