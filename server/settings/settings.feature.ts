import type { Feature } from '../kit/feature.ts';
import { beginSilence, endSilence } from './reminder.ts';
import { settingsRoutes } from './settings.routes.ts';

/** Settings of the business. */
export const settingsFeature: Feature = {
  name: 'settings',
  tables: { settings: 'kept', logo_empresa: 'kept', secret_keys: 'apart' },
  routes: settingsRoutes,
  settingsChanged: beginSilence,
  clean: endSilence,
};
