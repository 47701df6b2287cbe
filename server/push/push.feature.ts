import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/push/push.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { doneAfter, route } from '../kit/route.ts';
import { runDelivery } from '../outbox/undelivered.ts';
import { sendDuePushes } from './push.job.ts';
import { readPush, subscribePush, unsubscribePush } from './push.ts';

/** Push notifications, which arrive when the app is closed. */
export const pushFeature: Feature = {
  name: 'push',
  tables: { push_subscriptions: 'kept' },
  routes,
  jobs: ({ db, config }) => [{ name: 'push', cron: '* * * * *', run: () => runDelivery(db, 'push', () => sendDuePushes(db, config)) }],
};

function routes(app: FastifyInstance, { db, config }: Deps): void {
  route(app, api.getPush, async ({ actor }) => ({ data: await readPush(db, actor, config) }));
  route(app, api.subscribePush, async ({ actor, body, request }) => {
    const session = request.session?.token_hash ?? '';
    await subscribePush(db, actor, body, { session, userAgent: request.headers['user-agent'] });
    return { success: true, message: 'Te avisaremos en este navegador' };
  });
  route(app, api.unsubscribePush, ({ actor, body }) =>
    doneAfter(unsubscribePush(db, actor, body.endpoint), 'Ya no te avisaremos en este navegador'),
  );
}
