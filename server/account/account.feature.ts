import type { Feature } from '../kit/feature.ts';
import { accountRoutes } from './account.routes.ts';

/** Own account: password, second factor, devices and sessions. */
export const accountFeature: Feature = {
  name: 'account',
  routes: accountRoutes,
};
