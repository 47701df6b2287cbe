import type { Feature } from '../kit/feature.ts';
import { usersRoutes } from './users.routes.ts';

/** User management. */
export const usersFeature: Feature = {
  name: 'users',
  routes: usersRoutes,
};
