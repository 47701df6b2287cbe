import type { Feature } from '../kit/feature.ts';
import { addGauge } from '../kit/metrics.ts';
import { countWaiting, forgetOldMessages } from './outbox.ts';

/** Queue of outgoing messages; the feature of each channel delivers them. */
export const outboxFeature: Feature = {
  name: 'outbox',
  tables: { outbox: 'kept' },
  routes: (app, { db }) => addGauge(app.metrics, 'enruta_outbox', 'Messages waiting to be sent, by channel', () => countWaiting(db)),
  clean: forgetOldMessages,
};
