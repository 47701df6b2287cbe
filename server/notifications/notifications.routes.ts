import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/notifications/notifications.ts';
import type { Deps } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { listNotifications, readNotifications } from './notifications.ts';

export function notificationsRoutes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.listNotifications, async ({ actor }) => listNotifications(db, actor));
  route(app, api.readNotifications, async ({ actor, body }) => {
    await readNotifications(db, actor, body);
    return { success: true, message: 'Avisos leídos' };
  });
}
