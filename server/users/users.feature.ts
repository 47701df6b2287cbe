import type { Feature } from '../kit/feature.ts';
import { usersRoutes } from './users.routes.ts';

/** People: creating, editing, deactivating, deleting. */
export const usersFeature: Feature = {
  name: 'users',
  routes: usersRoutes,
};
