import type { Feature } from '../kit/feature.ts';
import { accountRoutes } from './account.routes.ts';

/** Self-service for the caller's own account. */
export const accountFeature: Feature = {
  name: 'account',
  routes: accountRoutes,
};
