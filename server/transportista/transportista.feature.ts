import type { Feature } from '../kit/feature.ts';
import { transportistaRoutes } from './transportista.routes.ts';

/** What a carrier may take. */
export const transportistaFeature: Feature = {
  name: 'transportista',
  routes: transportistaRoutes,
};
