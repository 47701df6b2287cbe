import type { Feature } from '../kit/feature.ts';
import { usersRoutes } from './users.routes.ts';

/** The people whom a superadmin manages. */
export const usersFeature: Feature = {
  name: 'users',
  routes: usersRoutes,
};
