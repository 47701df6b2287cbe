import type { Feature } from '../kit/feature.ts';
import { rutaRoutes } from './ruta.routes.ts';
import { forgetRutas } from './ruta.ts';

/** The day's route of a carrier, and when the customer can expect it. */
export const rutaFeature: Feature = {
  name: 'ruta',
  tables: { rutas: 'kept' },
  routes: rutaRoutes,
  clean: forgetRutas,
};
