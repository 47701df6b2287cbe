import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/settings/settings.ts';
import type { Deps } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { testMail } from './test-mail.ts';

export function mailRoutes(app: FastifyInstance, { db, config: { secretKey } }: Deps): void {
  route(app, api.testMail, async () => ({ message: 'Conexión exitosa', data: await testMail(db, secretKey) }));
}
