import type { IncomingHttpHeaders } from 'node:http';
import type { Part } from '../kit/config.ts';
import type { Opened } from '../pedidos/pagos.ts';
import type { Unpaid } from './find.ts';

/** A way of paying, a button on the public page. */
export type Method = { id: string; label: string };

/**
 * A request to pay the order of `token` by `metodo`; `origin` starts the addresses for the browser's return and the
 * webhook. `begin` gives the order, after noting that its payment begins, under the provider's id where it is known;
 * `opened` notes an id known only afterwards.
 */
export type Ask = {
  begin: (externo_id?: string) => Promise<Unpaid>;
  opened: (pedido: Unpaid, page: Opened) => Promise<void>;
  token: string;
  metodo: string;
  origin: string;
};
/** Where to send the browser; with `fields`, by posting a form. */
export type Destination = { url: string; fields?: Record<string, string> };

/** A verified notification. `importe_cents` is null when it names no amount, `moneda` is ISO 4217. */
export type Notice = {
  evento_id: string;
  externo_id: string;
  /** The order's id; when missing, the order is found by the `externo_id` of its payment. */
  pedido?: string | undefined;
  importe_cents: number | null;
  moneda: string;
  /** False when the payment was refused. */
  paid: boolean;
};

/** A configured provider. */
export type Gateway = {
  start: (ask: Ask) => Promise<Destination>;
  /** `raw` is the unparsed body. Throws 400 for a bad signature; undefined when it is not about a payment of ours. */
  notified: (raw: Buffer, headers: IncomingHttpHeaders) => Notice | undefined;
  /** What came of a payment of which no notification arrived, where the provider can be asked: it may still end, or never will. */
  ask?: (externo_id: string) => Promise<Notice | 'open' | 'ended'>;
};

/**
 * A payment provider: its environment variables, its buttons on the public page, and its protocol. `id` names it in
 * addresses and in the database. Methods, not function properties, so that one list can hold providers of any settings.
 */
export type Provider<Id extends string = string, Settings = unknown> = {
  id: Id;
  label: string;
  methods: Method[];
  config: Part<Settings | undefined>;
  /** The origin that the page may post a form to. */
  formAction?(settings: Settings): string;
  open(settings: Settings): Gateway | Promise<Gateway>;
};

/** Declares a provider; it is offered once it is listed in providers.ts and its variables are set. */
export const provider = <const Id extends string, Settings>(def: Provider<Id, Settings>) => def;
