import type { Feature } from '../kit/feature.ts';
import { liveRoutes } from './live.routes.ts';

/** Live updates: browsers refetch when something changes. */
export const liveFeature: Feature = {
  name: 'live',
  routes: liveRoutes,
};
