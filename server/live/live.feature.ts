import type { Feature } from '../kit/feature.ts';
import { liveRoutes } from './live.routes.ts';

/** The screens that ask again when something changes. */
export const liveFeature: Feature = {
  name: 'live',
  routes: liveRoutes,
};
