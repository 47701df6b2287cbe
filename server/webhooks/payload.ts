import type { Pedido } from '../../contract/pedidos/pedidos.ts';
import type { CambioCliente, TEST_EVENT, WebhookEvent } from '../../contract/webhooks/fields.ts';

/** Subject of an event as of its time. Payment links are paths. Only orders hold personal data. */
export type Data =
  /** `zona`: time zone of the business, which decides what is late. */
  | { pedido: Pedido; zona?: string }
  | { cliente: { id: string; cambio: CambioCliente } }
  | { producto: { id: string; name: string; stock: number; min_stock: number; unidades?: number; motivo?: string; pedidos?: string[] } }
  | { pago: { id: string; pedido_id: string; proveedor: string; estado: string; importe: number; fecha: string } }
  | { reembolso: { pedido_id: string; pago_id: string | null; devolucion_id: string | null; importe: number } }
  | {
      remesa: Record<'id' | 'empresa' | 'fecha', string> & Record<'numero' | 'cobros' | 'recibido' | 'comision' | 'aparte', number>;
    }
  | { tarea: { nombre: string; titulo: string; motivo: string } }
  | { copia: { nombre: string; motivo: string } }
  | { mensaje: string };
/** `evento` is the id of the event, also the `webhook-id`. Tests and messages of earlier versions have none. */
export type Payload = { evento?: string; tipo: WebhookEvent | typeof TEST_EVENT; timestamp: string; data: Data };

export const webhookPayload = (tipo: Payload['tipo'], data: Data): Payload => ({
  tipo,
  timestamp: new Date().toISOString(),
  data,
});
