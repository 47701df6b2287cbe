import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/settings.ts';
import type { Db } from '../db/open.ts';
import { route } from '../kit/route.ts';
import { showSettings, updateSettings } from './settings.ts';

export function settingsRoutes(app: FastifyInstance, db: Db, secretKey: string): void {
  route(app, api.getSettings, async ({ actor }) => ({ data: await showSettings(db, actor) }));
  route(app, api.updateSettings, async ({ actor, body }) => ({
    success: true,
    message: 'Configuración guardada',
    data: await updateSettings(db, actor, secretKey, body),
  }));
}
