import type { Feature } from '../kit/feature.ts';
import { transportistaRoutes } from './transportista.routes.ts';

/** Orders available to carriers. */
export const transportistaFeature: Feature = {
  name: 'transportista',
  routes: transportistaRoutes,
};
