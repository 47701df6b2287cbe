import type { Feature } from '../kit/feature.ts';
import { delivered } from '../outbox/undelivered.ts';
import { forgetOldEvents } from './events.ts';
import { sendDueWebhooks } from './webhooks.job.ts';
import { webhooksRoutes } from './webhooks.routes.ts';

/** Webhooks: other programs hear of orders and stock. */
export const webhooksFeature: Feature = {
  name: 'webhooks',
  tables: { webhooks: 'kept', events: 'passing' },
  routes: webhooksRoutes,
  jobs: ({ db, config }) => [
    { name: 'webhook', cron: '* * * * *', run: () => delivered(db, 'webhook', () => sendDueWebhooks(db, config)) },
  ],
  clean: forgetOldEvents,
};
