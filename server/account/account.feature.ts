import type { Feature } from '../kit/feature.ts';
import { accountRoutes } from './account.routes.ts';

/** What people do with their own account. */
export const accountFeature: Feature = {
  name: 'account',
  routes: accountRoutes,
};
