import type { Feature } from '../kit/feature.ts';
import { transportistaRoutes } from './transportista.routes.ts';

/** Orders that a carrier can take, and has taken. */
export const transportistaFeature: Feature = {
  name: 'transportista',
  routes: transportistaRoutes,
};
