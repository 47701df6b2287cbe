import { sql } from 'kysely';
import type { Pedido } from '../../contract/pedidos.ts';
import type { TEST_EVENT, WebhookEvent } from '../../contract/webhooks.fields.ts';
import type { Tx } from '../db/open.ts';
import { enqueue } from '../outbox/outbox.ts';

/** Subject of an event at its time; payment links are paths. */
type Data = { pedido: Pedido } | { producto: { id: string; name: string; stock: number; min_stock: number } } | { mensaje: string };
export type Payload = { tipo: WebhookEvent | typeof TEST_EVENT; timestamp: string; data: Data };

export const payloadOf = (tipo: Payload['tipo'], data: Data): Payload => ({
  tipo,
  timestamp: new Date().toISOString(),
  data,
});

const listening = (events: readonly WebhookEvent[]) => sql<boolean>`(is_active AND eventos && ${[...events]}::text[])`;

/** Condition: a webhook wants one of these events; embedded in another statement. */
export const isWanted = (events: readonly WebhookEvent[]) => sql<boolean>`EXISTS (SELECT FROM webhooks WHERE ${listening(events)})`;

/** Queues events about `data` for the webhooks that want them, in the transaction. Calls `data` only if there are any. */
export async function queueWebhooks(tx: Tx, events: readonly WebhookEvent[], data: () => readonly Data[]): Promise<void> {
  const hooks = await tx.selectFrom('webhooks').select(['id', 'eventos']).where(listening(events)).execute();
  if (hooks.length === 0) return;
  const contents = data();
  const messages = hooks.flatMap(({ id: recipient, eventos }) =>
    events
      .filter((tipo) => eventos.includes(tipo))
      .flatMap((tipo) => contents.map((content) => ({ recipient, payload: payloadOf(tipo, content) }))),
  );
  await enqueue(tx, 'webhook', messages);
}
