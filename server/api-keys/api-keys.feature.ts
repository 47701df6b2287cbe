import type { Feature } from '../kit/feature.ts';
import { apiKeysRoutes } from './api-keys.routes.ts';
import { forgetOldApiKeys } from './api-keys.ts';

/** Keys with which other programs use the API. */
export const apiKeysFeature: Feature = {
  name: 'api-keys',
  tables: { api_keys: 'kept' },
  routes: apiKeysRoutes,
  clean: forgetOldApiKeys,
};
