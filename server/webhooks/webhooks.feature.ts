import type { FastifyInstance } from 'fastify';
import { asDone } from '../../contract/kit/endpoint.ts';
import { listEvents } from '../../contract/webhooks/events.ts';
import * as api from '../../contract/webhooks/webhooks.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { doneAfter, route } from '../kit/route.ts';
import { runDelivery } from '../outbox/undelivered.ts';
import { listEntregas, resendWebhook, testWebhook } from './deliver.ts';
import { deleteOldEvents, readEvents } from './queue.ts';
import { sendDueWebhooks } from './webhooks.job.ts';
import { changeSecret, createWebhook, deleteWebhook, listWebhooks, updateWebhook } from './webhooks.ts';

/** Webhooks: messages to other programs about orders, payments and stock. */
export const webhooksFeature: Feature = {
  name: 'webhooks',
  tables: { webhooks: 'kept', events: 'passing' },
  routes,
  jobs: ({ db, config }) => [
    { name: 'webhook', cron: '* * * * *', run: () => runDelivery(db, 'webhook', () => sendDueWebhooks(db, config)) },
  ],
  clean: deleteOldEvents,
};

function routes(app: FastifyInstance, { db, config }: Deps): void {
  route(app, listEvents, async ({ actor, query }) => readEvents(db, actor, query, config.publicUrl));
  route(app, api.listWebhooks, async ({ actor }) => ({ success: true, data: await listWebhooks(db, actor) }));
  route(app, api.createWebhook, async ({ actor, body }) => {
    const { webhook, secreto } = await createWebhook(db, actor, body, config);
    return { ...asDone('Webhook creado', webhook), secreto };
  });
  route(app, api.updateWebhook, async ({ actor, params, body }) =>
    asDone('Webhook actualizado', await updateWebhook(db, actor, { ...body, ...params }, config)),
  );
  route(app, api.deleteWebhook, ({ actor, params }) => doneAfter(deleteWebhook(db, actor, params.id), 'Webhook eliminado'));
  route(app, api.changeWebhookSecret, async ({ actor, params }) => {
    const { webhook, secreto } = await changeSecret(db, actor, params.id, config);
    return { ...asDone('Secreto cambiado', webhook), secreto };
  });
  route(app, api.testWebhook, async ({ actor, params }) => testWebhook(db, actor, params.id, config));
  route(app, api.listEntregas, async ({ actor, params, query }) => listEntregas(db, actor, params.id, query));
  route(app, api.reenviarEntrega, ({ actor, params }) => doneAfter(resendWebhook(db, actor, params.id), 'Se está enviando otra vez'));
}
