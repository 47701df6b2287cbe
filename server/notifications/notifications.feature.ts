import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/notifications/notifications.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { doneAfter, route } from '../kit/route.ts';
import { deleteOldNotifications, listNotifications, readNotifications } from './notifications.ts';
import { notifyOfSettings } from './notify.ts';

/** Notifications shown in the app (the bell). */
export const notificationsFeature: Feature = {
  name: 'notifications',
  tables: { notifications: 'kept', notification_reads: 'kept', notification_readers: 'kept' },
  routes,
  clean: deleteOldNotifications,
  settingsChanged: notifyOfSettings,
};

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.listNotifications, async ({ actor }) => listNotifications(db, actor));
  route(app, api.readNotifications, ({ actor, body }) => doneAfter(readNotifications(db, actor, body), 'Avisos leídos'));
}
