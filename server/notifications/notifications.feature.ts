import type { Feature } from '../kit/feature.ts';
import { notificationsRoutes } from './notifications.routes.ts';
import { forgetOldNotifications } from './notifications.ts';
import { tellOfSettings } from './tell-superadmins.ts';

/** Notifications shown in the app (the bell). */
export const notificationsFeature: Feature = {
  name: 'notifications',
  tables: { notifications: 'kept', notification_reads: 'kept', notification_readers: 'kept' },
  routes: notificationsRoutes,
  clean: forgetOldNotifications,
  settingsChanged: tellOfSettings,
};
