import type { Db } from '../db/open.ts';
import { deliverDue } from '../outbox/outbox.ts';
import { deliverWebhook, NoAnswer, type Sending } from './deliver.ts';
import type { Payload } from './payload.ts';

/** Half of the database's connections, leaving the others to requests. */
const AT_ONCE = 5;

/** Sends due webhooks; returns how many. A webhook that does not answer is skipped for the rest of the run, so that it does not delay others. */
export async function sendDueWebhooks(db: Db, sending: Sending): Promise<number> {
  const silent = new Map<string, NoAnswer>();
  return deliverDue<Payload>(
    db,
    'webhook',
    async (message) => {
      const reason = silent.get(message.recipient);
      if (reason) throw reason;
      return deliverWebhook(db, message, sending).catch((error: unknown) => {
        if (error instanceof NoAnswer) silent.set(message.recipient, error);
        throw error;
      });
    },
    AT_ONCE,
  );
}
