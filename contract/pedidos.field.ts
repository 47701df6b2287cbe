import type { Field } from './fields.ts';
import type { Action } from './policy.ts';

/* What the table of an order's fields says of each (pedidos.fields.ts), and the permissions behind its names. */

/** Permissions of each audience: one of them suffices. `order` needs none beyond reading the order. */
export const AUDIENCES = {
  /** Everybody who may read the order, carriers before they take it included. */
  order: [],
  /** The carrier who holds it, and those who sell it. */
  delivery: ['pedido:contact', 'pedido:prices'],
  /** Those who may call or visit the customer; see `sees` for how long. */
  contact: ['pedido:contact'],
  /** Superadmins and its reseller. */
  sale: ['pedido:prices'],
  /** The same, for amounts of money. */
  prices: ['pedido:prices'],
} as const satisfies Record<string, readonly Action[]>;
export type Audience = keyof typeof AUDIENCES;

/** Permissions of each writer: one of them suffices. */
export const WRITERS = {
  /** Everybody who writes orders. */
  seller: ['pedido:create', 'pedido:edit', 'pedido:duplicate'],
  /** Superadmins, and programs whose key writes orders (`KEY_IMPLIES`). */
  office: ['pedido:office'],
  /** Those who decide price, reseller, number and state of a new order. */
  terms: ['pedido:create-free'],
  /** Those who promise a date. */
  promise: ['pedido:promise'],
} as const satisfies Record<string, readonly Action[]>;
export type Writer = keyof typeof WRITERS;

/** Last stage at which a field may be edited: at creation, while the order is open, or even once completed. */
export type Until = 'created' | 'open' | 'completed';

/** What becomes of personal data when it is taken out, and from how many characters on it is masked elsewhere (server/privacidad). */
type Erased = { rule: 'nombre' | 'vacio' | 'nulo' | 'mascara' | 'queda'; told?: number };

export type PedidoField = Field & {
  /** Optional on input but never null in a response. */
  always?: true;
  /** Who sees it, everywhere: answers, lists, search, history, log, export. */
  seen: Audience;
  /** Who writes it until which stage; when absent only the server does. */
  by?: Writer;
  until?: Until;
  /** Who writes it once the order exists, where that is somebody else. */
  editedBy?: Writer;
  /** «Duplicar» copies it. */
  copied?: true;
  /** Included in the text search, for those who see it. */
  searched?: true;
  /** Personal data of the customer; a text without it says why. */
  erased?: Erased | 'negocio' | 'codigo' | 'persona';
  /** Label in forms without a «Cliente» heading. */
  formLabel?: string;
  /** Default in a new form. */
  initial?: string;
  /** Changes appear in the history, as they do for every user-editable field. */
  recorded?: true;
  /** Export column width in characters, and its heading when different from the label. */
  exported?: { width: number; heading?: string };
  /** Import headings accepted besides the label, compared without accents or case. */
  headings?: readonly string[];
  /** Formats a value for display. */
  words?: (value: never) => string;
};
