import { type Condition, SELF } from '../kit/condition.ts';
import { type Estado, POR_ENTREGAR } from '../pedidos/estados.ts';

/* Facts of records that permissions depend on, and conditions on them. */

export type PedidoFacts = {
  estado: Estado;
  revendedor_id: string | null;
  transportista_id: string | null;
  deleted_at?: string | null;
  incidencia_at?: string | null;
  contra_reembolso?: boolean;
  en_empresa_at?: string | null;
  recoge_at?: string | null;
};
export type UserFacts = { id: string };
/** `api_key_id`: null for a webhook created by a person. */
export type WebhookFacts = { api_key_id: string | null };
export type CajaFacts = { transportista_id: string };
export type LiquidacionFacts = { user_id: string };
/** `revendedor_id`: null for a customer of the business itself. */
export type ClienteFacts = { revendedor_id: string | null };

export const ALIVE: Condition<PedidoFacts> = { column: 'deleted_at', is: null };
export const SOLD: Condition<PedidoFacts> = { all: [ALIVE, { column: 'revendedor_id', is: SELF }] };
export const CARRIED: Condition<PedidoFacts> = { all: [ALIVE, { column: 'transportista_id', is: SELF }] };
/** Orders that a carrier may get: not handed to a company with a shipment file (decision 085), nor collected by the customer. */
export const AT_HAND: Condition<PedidoFacts> = {
  all: [
    { column: 'en_empresa_at', is: null },
    { column: 'recoge_at', is: null },
  ],
};
/** Orders that do not wait for an answer after failed attempts. */
export const ANSWERED: Condition<PedidoFacts> = { column: 'incidencia_at', is: null };
export const OPEN: Condition<PedidoFacts> = {
  all: [ALIVE, AT_HAND, ANSWERED, { column: 'estado', is: 'pendiente' }, { column: 'transportista_id', is: null }],
};

export const UNPAID: Condition<PedidoFacts> = { all: [SOLD, { column: 'estado', is: 'pendiente_pago' }] };

export const inEstados = (estados: readonly Estado[]): Condition<PedidoFacts> => ({ any: estados.map((is) => ({ column: 'estado', is })) });
export const TO_DELIVER = inEstados(POR_ENTREGAR);

export const OWN_CLIENTE: Condition<ClienteFacts> = { column: 'revendedor_id', is: SELF };
