import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { WebhookEvent } from '../../contract/webhooks/fields.ts';
import type { Tx } from '../db/open.ts';
import { enqueue } from '../outbox/outbox.ts';
import { isKept, storeEvents } from './events.ts';
import { type Data, payloadOf } from './payload.ts';

/** Stores events about `data` and queues them for subscribed webhooks, in the transaction. Calls `data` only if a webhook or key can read events. */
export const queueWebhooks = (tx: Tx, events: readonly WebhookEvent[], data: () => readonly Data[]): Promise<void> =>
  queueEvents(tx, events, () => {
    const contents = data();
    return events.flatMap((tipo) => contents.map((content) => ({ tipo, content })));
  });

/** Like `queueWebhooks`, for events with different contents. `tipos` must include the type of every event. */
export async function queueEvents(
  tx: Tx,
  tipos: readonly WebhookEvent[],
  events: () => readonly { tipo: WebhookEvent; content: Data }[],
): Promise<void> {
  const { rows } = await sql<{ kept: boolean; hooks: { id: string; eventos: string[] }[] }>`
    SELECT ${isKept} AS kept, (SELECT coalesce(json_agg(json_build_object('id', id, 'eventos', eventos)), '[]')
      FROM webhooks WHERE is_active AND eventos && ${[...tipos]}::text[]) AS hooks`.execute(tx);
  const { kept = false, hooks = [] } = rows[0] ?? {};
  if (!kept) return;
  const told = events().map(({ tipo, content }) => ({ ...payloadOf(tipo, content), evento: randomUUID() as string, tipo }));
  await storeEvents(tx, told);
  const messages = hooks.flatMap(({ id: recipient, eventos }) =>
    told.filter(({ tipo }) => eventos.includes(tipo)).map((payload) => ({ recipient, payload })),
  );
  await enqueue(tx, 'webhook', messages);
}
