import type { Feature } from '../kit/feature.ts';
import { statsRoutes } from './stats.routes.ts';

/** Figures of the three dashboards. */
export const statsFeature: Feature = {
  name: 'stats',
  routes: statsRoutes,
};
