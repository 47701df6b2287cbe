import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Conector } from '../../contract/tienda/fields.ts';
import type { Deletion, Refund, WebOrder } from './reading/order.ts';

/** REST API of one shop, and whether it may be in a private network. */
export type ShopApi = { url: string; key: string; secret: string; anywhere: boolean };

/** Message to a shop about an order. `aims`: new state in the shop; undefined to leave the shop's state. */
export type SentState = {
  externo_id: string;
  numero_orden: string;
  estado: string;
  estado_label: string;
  seguimiento: string | null;
  aims: 'completado' | 'cancelado' | undefined;
  devuelto_cents: number;
};

/** Outcome of `sendBack`: a Spanish sentence if the shop refused something or was left unchanged, and the shop's id of a new refund. */
export type Answered = { contradiction?: string; refund?: string };
/** Orders that a shop has, as it sends them, and the ids of those that it says it does not have. */
export type OrdersNow = { there: object[]; gone: string[] };

/** A kind of web shop; `connectors.ts` lists them. */
export type Connector = {
  id: Conector;
  /** Names of its headers: `signature`, and two hints, the shop's address (`source`) and the kind of message (`topic`). */
  headers: { signature: string; source: string; topic?: string };
  /** True if `signature` is the signature of `raw` with `secret`. */
  signed: (raw: Buffer, secret: string, signature: string) => boolean;
  /** Reads a message. Throws 422 with a Spanish sentence for any other content. */
  read: (content: unknown) => WebOrder | Deletion;
  /** True for the unsigned test message of a shop, which is accepted and ignored. */
  isPing?: (raw: Buffer) => boolean;
  /** Sends an order's state to the shop's REST API. Throws `Undeliverable`. */
  sendBack?: (api: ShopApi, order: SentState) => Promise<Answered>;
  /** Returns the refunds of an order, newest first. Throws `Undeliverable`. */
  refunds?: (api: ShopApi, externo_id: string) => Promise<Refund[]>;
  /** Yields pages of the orders changed since `since` (ISO 8601). Throws `Undeliverable`. */
  changed?: (api: ShopApi, since: string) => AsyncGenerator<unknown[]>;
  /** Asks for orders by their ids, the shop's bin included. Throws `Undeliverable`. */
  ordersNow?: (api: ShopApi, ids: readonly string[]) => Promise<OrdersNow>;
  /** True if the shop has switched off a webhook of this program. Throws `Undeliverable`. */
  isOff?: (api: ShopApi) => Promise<boolean>;
  /** Switches the webhooks on again; returns how many. Throws `Undeliverable`. */
  switchOn?: (api: ShopApi) => Promise<number>;
  /** Returns the shop's products, and each variation as a product. Throws `Undeliverable`. */
  products?: (api: ShopApi) => Promise<{ clave: string; sku: string; nombre: string }[]>;
};

type Needed = Pick<Connector, 'id' | 'headers' | 'read'> & Partial<Connector>;

/** Declares a connector; messages are signed by HMAC-SHA256 of the raw body, in base64, unless it says otherwise. */
export const declareConnector = (parts: Needed): Connector => ({ signed: isSigned, ...parts });

function isSigned(raw: Buffer, secret: string, signature: string): boolean {
  // Compares the texts, because decoding base64 ignores everything after the padding.
  const expected = Buffer.from(createHmac('sha256', secret).update(raw).digest('base64'));
  const received = Buffer.from(signature);
  return received.length === expected.length && timingSafeEqual(received, expected);
}
