import type { Field } from '../kit/fields.ts';
import type { Action } from '../policy/policy.ts';

/* Properties of the fields in fields.ts, with the permissions behind them. */

/** Permissions of each audience; one suffices. */
export const AUDIENCES = {
  /** All readers of the order, including carriers who have not taken the order. */
  order: [],
  delivery: ['pedido:contact', 'pedido:prices'],
  /** Carriers lose this access some time after the delivery (`sees`). */
  contact: ['pedido:contact'],
  sale: ['pedido:prices'],
  prices: ['pedido:prices'],
  /** Superadmins and programs; never a reseller. */
  programs: ['pedido:metadata'],
  /** The only money of an order that its carrier sees (design, section 4.32). */
  collect: ['pedido:prices', 'pedido:collect'],
} as const satisfies Record<string, readonly Action[]>;
export type Audience = keyof typeof AUDIENCES;

/** Permissions of each writer; one suffices. */
export const WRITERS = {
  seller: ['pedido:create', 'pedido:edit', 'pedido:duplicate'],
  /** Superadmins, and programs whose key writes orders (`KEY_IMPLIES`). */
  office: ['pedido:office'],
  terms: ['pedido:create-free'],
  promise: ['pedido:promise'],
} as const satisfies Record<string, readonly Action[]>;
export type Writer = keyof typeof WRITERS;

export type Until = 'created' | 'open' | 'completed';

/** How personal data is redacted, and the length from which it is masked in other columns too (server/privacidad). */
type Erased = { rule: 'nombre' | 'vacio' | 'nulo' | 'mascara' | 'queda'; maskElsewhere?: number };

export type PedidoField = Field & {
  /** Optional on input but never null in a response. */
  always?: true;
  /** Audience in responses, lists, search, history, log and export. */
  seen: Audience;
  /** Writer, until the stage in `until`; without `by` only the server writes. */
  by?: Writer;
  until?: Until;
  editedBy?: Writer;
  copied?: true;
  searched?: true;
  /** Redaction of personal data; a string is the reason not to redact. */
  erased?: Erased | 'negocio' | 'codigo' | 'persona';
  /** Label in forms without a «Cliente» heading. */
  formLabel?: string;
  initial?: string;
  /** Recorded in the history; user-editable fields always are. */
  recorded?: true;
  exported?: { width: number; heading?: string };
  /** Import headings besides the label, compared without accents or case. */
  headings?: readonly string[];
  words?: (value: never) => string;
};
