import * as api from '../../contract/outbox/outbox.ts';
import type { Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { countWaiting, deleteOldMessages } from './outbox.ts';
import { listUndelivered, oldestWaiting, resendGivenUp } from './undelivered.ts';

/** Queue of outgoing messages with retries; the feature of each channel delivers them. */
export const outboxFeature: Feature = {
  name: 'outbox',
  tables: { outbox: 'kept' },
  routes: (app, { db }) => {
    app.metrics?.addGauge('enruta_outbox', 'Messages waiting to be sent, by channel', () => countWaiting(db));
    app.metrics?.addGauge('enruta_outbox_oldest_seconds', 'Age of the oldest message that is due, by channel', () => oldestWaiting(db));
    route(app, api.listUndelivered, async () => listUndelivered(db));
    route(app, api.resendGivenUp, async ({ actor, body }) => {
      const reenviados = await resendGivenUp(db, actor, body.ids);
      return { success: true, message: 'Se están enviando otra vez', reenviados };
    });
  },
  clean: deleteOldMessages,
};
