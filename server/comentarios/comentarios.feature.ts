import type { Feature } from '../kit/feature.ts';
import { comentariosRoutes } from './comentarios.routes.ts';

/** Comments on an order, with @mentions. */
export const comentariosFeature: Feature = {
  name: 'comentarios',
  tables: { comentarios: 'kept' },
  routes: comentariosRoutes,
};
