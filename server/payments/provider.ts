import type { IncomingHttpHeaders } from 'node:http';
import type { Db } from '../db/open.ts';
import type { Part } from '../kit/config.ts';

/** A way of paying that the public page offers as a button. */
export type Method = { id: string; label: string };

/** The order of `token` is to be paid by `metodo`; `origin` is where the browser and the notification come back to. */
export type Ask = { token: string; metodo: string; origin: string };
/** Where the browser goes: with `fields`, as a form that it posts. */
export type Destination = { url: string; fields?: Record<string, string> };

/** What a genuine notification says. `importe_cents` is null when it says no amount, `moneda` is ISO 4217. */
export type Notice = {
  evento_id: string;
  externo_id: string;
  /** The order's id; without it, that of the payment begun under `externo_id`. */
  pedido?: string | undefined;
  importe_cents: number | null;
  moneda: string;
  /** False when the payment was refused. */
  paid: boolean;
};

/** A provider with its settings. */
export type Gateway = {
  /** Throws 404 for an unknown token and 409 when the order is not waiting to be paid. */
  start: (db: Db, ask: Ask) => Promise<Destination>;
  /** `raw` are the body's bytes as they came. Throws 400 when they are not signed; undefined when they are about no payment. */
  notified: (raw: Buffer, headers: IncomingHttpHeaders) => Notice | undefined;
};

/**
 * One way of being paid, whole: its variables, what the public page offers of it, and how it is spoken with.
 * `id` is its name in addresses and in the database. Methods, so that one list holds providers of any settings.
 */
export type Provider<Id extends string = string, Settings = unknown> = {
  id: Id;
  label: string;
  methods: Method[];
  config: Part<Settings | undefined>;
  /** Where the page may post a form to. */
  formAction?(settings: Settings): string;
  open(settings: Settings): Gateway | Promise<Gateway>;
};

/** Declares a provider; it is offered once it stands in providers.ts and its variables are set. */
export const provider = <const Id extends string, Settings>(def: Provider<Id, Settings>) => def;
