import type { Feature } from '../kit/feature.ts';
import { delivered } from '../outbox/undelivered.ts';
import { sendDuePushes } from './push.job.ts';
import { pushRoutes } from './push.routes.ts';

/** Push notifications, which arrive when the app is closed. */
export const pushFeature: Feature = {
  name: 'push',
  tables: { push_subscriptions: 'kept' },
  routes: pushRoutes,
  jobs: ({ db, config }) => [{ name: 'push', cron: '* * * * *', run: () => delivered(db, 'push', () => sendDuePushes(db, config)) }],
};
