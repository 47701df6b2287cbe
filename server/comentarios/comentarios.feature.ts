import type { Feature } from '../kit/feature.ts';
import { comentariosRoutes } from './comentarios.routes.ts';

/** What people write about an order. */
export const comentariosFeature: Feature = {
  name: 'comentarios',
  tables: { comentarios: 'kept' },
  routes: comentariosRoutes,
};
