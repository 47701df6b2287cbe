import type { IncomingHttpHeaders } from 'node:http';
import type { Db } from '../db/open.ts';
import type { Part } from '../kit/config.ts';

/** A way of paying, a button on the public page. */
export type Method = { id: string; label: string };

/** A request to pay the order of `token` by `metodo`; `origin` starts the addresses for the browser's return and the webhook. */
export type Ask = { token: string; metodo: string; origin: string };
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
  /** Throws 404 for an unknown token and 409 unless the order is unpaid. */
  start: (db: Db, ask: Ask) => Promise<Destination>;
  /** `raw` is the unparsed body. Throws 400 for a bad signature; undefined when it is not about a payment. */
  notified: (raw: Buffer, headers: IncomingHttpHeaders) => Notice | undefined;
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
