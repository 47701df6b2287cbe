import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Pedido } from '../../contract/pedidos.ts';
import type { CambioCliente, TEST_EVENT, WebhookEvent } from '../../contract/webhooks.fields.ts';
import type { Tx } from '../db/open.ts';
import { enqueue } from '../outbox/outbox.ts';
import { isKept, keepEvents } from './events.ts';

/** Subject of an event at its time; payment links are paths. A customer is told without personal data. */
type Data =
  | { pedido: Pedido }
  | { cliente: { id: string; cambio: CambioCliente } }
  | { producto: { id: string; name: string; stock: number; min_stock: number } }
  | { mensaje: string };
/** `evento`: its id, also the `webhook-id`; tests and messages of former versions have none. */
export type Payload = { evento?: string; tipo: WebhookEvent | typeof TEST_EVENT; timestamp: string; data: Data };

export const payloadOf = (tipo: Payload['tipo'], data: Data): Payload => ({
  tipo,
  timestamp: new Date().toISOString(),
  data,
});

/** Keeps events about `data` and queues them for the webhooks that want them, in the transaction. Calls `data` only if somebody may listen. */
export async function queueWebhooks(tx: Tx, events: readonly WebhookEvent[], data: () => readonly Data[]): Promise<void> {
  const { rows } = await sql<{ kept: boolean; hooks: { id: string; eventos: string[] }[] }>`
    SELECT ${isKept} AS kept, (SELECT coalesce(json_agg(json_build_object('id', id, 'eventos', eventos)), '[]')
      FROM webhooks WHERE is_active AND eventos && ${[...events]}::text[]) AS hooks`.execute(tx);
  const { kept = false, hooks = [] } = rows[0] ?? {};
  if (!kept) return;
  const contents = data();
  const told = events.flatMap((tipo) => contents.map((content) => ({ ...payloadOf(tipo, content), evento: randomUUID() as string, tipo })));
  await keepEvents(tx, told);
  const messages = hooks.flatMap(({ id: recipient, eventos }) =>
    told.filter(({ tipo }) => eventos.includes(tipo)).map((payload) => ({ recipient, payload })),
  );
  await enqueue(tx, 'webhook', messages);
}
