import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/settings.ts';
import type { Db, Engine } from '../db/open.ts';
import { route } from '../kit/route.ts';
import { testDatabase, testMail } from './connection-tests.ts';
import { showSettings, updateSettings } from './settings.ts';

/** Settings of the business, and what tries them out. */
export function settingsRoutes(app: FastifyInstance, db: Db, engine: Engine, secretKey: string): void {
  route(app, api.getSettings, async () => ({ data: await showSettings(db) }));
  route(app, api.updateSettings, async ({ actor, body }) => ({
    success: true,
    message: 'Configuración guardada',
    data: await updateSettings(db, actor, secretKey, body),
  }));
  route(app, api.testDatabase, async () => ({ message: 'Conexión exitosa', data: await testDatabase(db, engine) }));
  route(app, api.testMail, async () => ({ message: 'Conexión exitosa', data: await testMail(db, secretKey) }));
}
