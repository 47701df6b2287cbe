import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/push/push.ts';
import type { Deps } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { readPush, subscribePush, unsubscribePush } from './push.ts';

export function pushRoutes(app: FastifyInstance, { db, config: { secretKey } }: Deps): void {
  route(app, api.getPush, async ({ actor }) => ({ data: await readPush(db, actor, secretKey) }));
  route(app, api.subscribePush, async ({ actor, body, request }) => {
    const session = request.session?.token_hash ?? '';
    await subscribePush(db, actor, body, { session, userAgent: request.headers['user-agent'] });
    return { success: true, message: 'Te avisaremos en este navegador' };
  });
  route(app, api.unsubscribePush, async ({ actor, body }) => {
    await unsubscribePush(db, actor, body.endpoint);
    return { success: true, message: 'Ya no te avisaremos en este navegador' };
  });
}
