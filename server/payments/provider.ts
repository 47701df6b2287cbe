import type { IncomingHttpHeaders } from 'node:http';
import type { VUELTAS } from '../../contract/payments/fields.ts';
import type { Reader } from '../kit/config.ts';
import type { Opened } from '../pedidos/pagos/pagos.ts';
import type { Unpaid } from './find.ts';

export type Method = { id: string; label: string };

/** `begin` records the payment and returns the order; `opened` adds the provider's id once known. `origin` is the base of the return URL. */
export type Ask = {
  begin: (externo_id?: string) => Promise<Unpaid>;
  opened: (pedido: Unpaid, page: Opened) => Promise<void>;
  token: string;
  metodo: string;
  origin: string;
};
/** Target of the browser's redirect or, with `fields`, of a posted form. */
export type Destination = { url: string; fields?: Record<string, string> };

/** Verified notification; `importe_cents` is null if the provider names no amount, `moneda` is ISO 4217. */
export type PaymentNotice = {
  evento_id: string;
  externo_id: string;
  /** Order id; if missing, the payment's `externo_id` finds the order. */
  pedido?: string | undefined;
  importe_cents: number | null;
  moneda: string;
  paid: boolean;
  /** The provider's id of the payment, to which refunds and disputes refer. */
  intento?: string;
};

/**
 * Verified notification about a refund or dispute. `importe_cents`: with `total` all refunds of the payment so far, else only this one.
 * `disputa_ganada` also ends a dispute that never took money.
 */
export type Back = {
  evento_id: string;
  back: (typeof VUELTAS)[number] | 'disputa_ganada';
  externo_id?: string;
  intento?: string;
  importe_cents: number;
  total: boolean;
  moneda: string;
};

export type Gateway = {
  start: (ask: Ask) => Promise<Destination>;
  /** `raw`: unparsed body. Throws 400 for a bad signature; undefined for events about no payment of ours. */
  notified: (raw: Buffer, headers: IncomingHttpHeaders) => PaymentNotice | Back | undefined;
  /** Asks for the `externo_id` of the payment with this `intento`; undefined if another program took the money. */
  find?: (intento: string) => Promise<string | undefined>;
  /** Asks the provider for the result of a payment. `open`: can still be paid; `ended`: can no longer be paid. */
  ask?: (externo_id: string) => Promise<PaymentNotice | 'open' | 'ended'>;
};

/** A payment provider; `id` is used in URLs and database. Method syntax lets one list hold providers of any settings: parameters are bivariant. */
export type Provider<Id extends string = string, Settings = unknown> = {
  id: Id;
  label: string;
  methods: Method[];
  config: Reader<Settings | undefined>;
  formAction?(settings: Settings): string;
  open(settings: Settings): Gateway | Promise<Gateway>;
};

/** Declares a provider; listing it in providers.ts and setting its variables enables it. */
export const defineProvider = <const Id extends string, Settings>(def: Provider<Id, Settings>) => def;
