import type { Feature } from '../kit/feature.ts';
import { settingsRoutes } from './settings.routes.ts';

/** What the business has set. */
export const settingsFeature: Feature = {
  name: 'settings',
  tables: { settings: 'kept' },
  routes: settingsRoutes,
};
