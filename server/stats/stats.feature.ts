import type { Feature } from '../kit/feature.ts';
import { statsRoutes } from './stats.routes.ts';

/** Statistics. */
export const statsFeature: Feature = {
  name: 'stats',
  routes: statsRoutes,
};
