import type { Pedido } from '../../contract/pedidos/pedidos.ts';
import type { CambioCliente, TEST_EVENT, WebhookEvent } from '../../contract/webhooks/fields.ts';

/** Subject of an event at its time; payment links are paths. A customer is told without personal data. */
export type Data =
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
