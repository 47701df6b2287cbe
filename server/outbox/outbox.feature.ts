import type { Feature } from '../kit/feature.ts';
import { countWaiting, forgetOldMessages } from './outbox.ts';

/** Queue of outgoing messages with retries; the feature of each channel delivers them. */
export const outboxFeature: Feature = {
  name: 'outbox',
  tables: { outbox: 'kept' },
  routes: (app, { db }) => app.metrics?.addGauge('enruta_outbox', 'Messages waiting to be sent, by channel', () => countWaiting(db)),
  clean: forgetOldMessages,
};
