import type { Answer } from '../kit/endpoint.ts';
import type { getEmpresa, PagoPublico } from './pagar.ts';

/** Acts of the customer's page beside the payment; each is a form at `/pagar/:token/<act>`. */
export const ACTOS = ['transferencia', 'aplazar', 'vecino', 'simular'] as const;
export type Acto = (typeof ACTOS)[number];

/** All that the customer's page shows (web/pagar/page.tsx), read by server/payments/page.ts. */
export type PagoPage = {
  /** Path of the page. */
  path: string;
  /** Base of absolute addresses; empty without PUBLIC_URL. */
  origin: string;
  /** Address of the page's script. */
  script: string;
  /** Accent of the business, #rrggbb. */
  color: string;
  /** Absent while the database does not answer. */
  empresa?: Answer<typeof getEmpresa>;
  /** Absent for an unknown link. */
  pago?: PagoPublico;
  /** How the provider sent the customer back. */
  outcome: 'ok' | 'ko' | undefined;
  /** Idempotency key of the forms. */
  clave: string;
  /** Refusal of a form, with what was typed in it. */
  error?: { message: string; act?: string | undefined; typed: Record<string, string> };
  /** Provider's page to go to; with `fields`, a signed form to post there. */
  leaving?: { url: string; fields?: Record<string, string> };
};
