import { METODO_PAGO_LABEL, type METODOS_PAGO } from '../../../contract/payments/fields.ts';
import type { Fila } from '../../../contract/pedidos/import.ts';
import { fold } from '../../../contract/text/normalize.ts';
import { showNumber } from '../../ui/format/format.ts';
import { amountOf } from './amounts.ts';
import { isOnDelivery, titleKey } from './left-out.ts';
import type { Row, Values } from './row.ts';
import type { Targets } from './target.ts';

/* Payments in a sheet: whether an order is paid, how and when. */

type Metodo = (typeof METODOS_PAGO)[number];

const METHODS: readonly (readonly [Metodo, RegExp])[] = [
  ['bizum', /\bbizum\b/],
  ['transferencia', /\b(transfer\w*|bacs|bank wire|bankwire|wire|ingreso bancario|ingreso en cuenta|sepa|domiciliacion|bank deposit)\b/],
  [
    'tarjeta',
    /\b(tarjetas?|cards?|online cc|cc|credito|debito|credit|debit|visa|mastercard|amex|american express|maestro|stripe|redsys|tpv|datafono|shopify payments|woocommerce payments|woopayments|wcpay|apple pay|google pay|servired|ceca|sumup|square|adyen|braintree|payplug|mollie|etsy payments|wix payments)\b/,
  ],
  ['efectivo', /\b(efectivo|cash|metalico|contado)\b/],
  [
    'otro',
    /\b(otro|paypal|klarna|sequra|aplazame|scalapay|amazon pay\w*|amazon|ebay|managed payments|tarjeta regalo|gift card|vale|cheque|check|manual|pagare|multibanco|alma|oney|clearpay|afterpay)\b/,
  ],
];
const PAID =
  /\b(paid|pagad[oa]s?|cobrad[oa]s?|abonad[oa]|saldad[oa]|liquidad[oa]|captured?|capturad[oa]|processing|procesando|complete|completed|completad[oa]|pago (?:\w+ )?(?:aceptado|recibido|confirmado|correcto)|payment (?:accepted|received|complete)|remote payment accepted|aceptado|succeeded|success|settled|cleared|en cuenta|recibido|si|yes|x|true|verdadero|ok)\b/;
const UNPAID =
  /\b(pending|pendiente|unpaid|no (?:\w+ )?pagad[oa]|sin (?:pagar|cobrar)|impagad[oa]|not paid|awaiting|esperando|a la espera|en espera|on hold|hold|authorized|autorizad[oa]|partial\w*|parcial\w*|en parte|voided|failed|fallid\w*|refund\w*|reembolsad\w*|no|false|falso|por cobrar|por pagar|open|cancel\w*|draft)\b/;
/** Amount at the start of a cell: «29,90 €». */
const AMOUNT = /^\s*(?:€\s?)?(\d+(?:[.,]\d{1,2})?)\s?(?:€|eur(?:os)?)?(?=[\s,;]|$)/i;
const DATE = /\b(\d{4})-(\d{2})-(\d{2})|\b(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})/;

/** Date with a two-digit year or the name of a month. Means that the order is paid; the date itself is not read. */
const OTHER_DAY = /\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2}\b|\b(?:\d{1,2}-[a-z]{3}|[a-z]{3}-\d{1,2})-\d{2,4}\b|\b[a-z]{3} \d{1,2} \d{4}\b/;

/** Words of a cell without dates, times and «paid»: «PayPal Express». */
const nameIn = (text: string) =>
  text
    .replace(DATE, ' ')
    .replace(
      /T?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[+-]\d{2}:?\d{2})?|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{1,2}-[a-z]{3}-\d{2,4}|[a-z]{3}-\d{1,2}-\d{2,4}/gi,
      ' ',
    )
    .replace(/\b(?:paid|pagad[oa]|cobrad[oa]|s[ií]|processing|procesando|completad[oa]|completed)\b/gi, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;]+|[\s,;]+$/g, '');

/** `unsaid`: a payment method without a statement that the order is paid. `both`: paid already, and paid on delivery. */
export type Payment =
  | { is: 'paid'; metodo: Metodo; fecha?: string; importe?: number; words: string }
  | { is: 'no' | 'delivery' | 'unsaid' | 'both' | 'unknown' };

function dateIn(text: string): string | undefined {
  const [, y, m = '', d = '', day, month, year] = DATE.exec(text) ?? [];
  const pad = (n = '') => n.padStart(2, '0');
  if (y) return `${y}-${m}-${d}`;
  // A month above 12 means that an English program has put the month first.
  return year ? (Number(month) > 12 ? `${year}-${pad(day)}-${pad(month)}` : `${year}-${pad(month)}-${pad(day)}`) : undefined;
}

/** Reads a payment from the text of a cell. If the text is `typed` by a person, a payment method alone means paid. */
export function paymentOf(text: string, typed = false): Payment {
  // Cached: a column repeats a few words in every row.
  const key = `${typed} ${text}`;
  const before = known.get(key);
  if (before) return before;
  const payment = readPayment(text.slice(0, LONGEST), typed);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, payment);
  return payment;
}
const known = new Map<string, Payment>();
const MOST_KNOWN = 5000;
/** Maximum number of characters to read from a cell. */
const LONGEST = 400;

function readPayment(text: string, typed: boolean): Payment {
  const words = fold(text)
    .replace(/[^a-z0-9/.-]+/g, ' ')
    .trim();
  if (words === '' || /^(0|-|n|none|ninguno|n.?a)$/.test(words)) return { is: 'no' };
  const fecha = dateIn(words);
  const rest = words.replace(DATE, ' ');
  const [, amount] = AMOUNT.exec(text) ?? [];
  const importe = amount === undefined ? undefined : amountOf(amount);
  if (importe === 0) return { is: 'no' };
  const paid = PAID.test(rest) || fecha !== undefined || importe !== undefined || OTHER_DAY.test(rest);
  if (isOnDelivery(rest)) return { is: /\b(paid|pagad[oa]|cobrad[oa])\b/.test(rest) ? 'both' : 'delivery' };
  if (UNPAID.test(rest)) return { is: 'no' };
  const metodo = rest.startsWith('otro') ? 'otro' : METHODS.find(([, pattern]) => pattern.test(rest))?.[0];
  if (!paid && !(typed && metodo)) return { is: metodo ? 'unsaid' : 'unknown' };
  const [, within] = /\((.*)\)/.exec(text) ?? [];
  return {
    is: 'paid',
    metodo: metodo ?? 'otro',
    ...(fecha && { fecha }),
    ...(importe && { importe }),
    words: (within ?? nameIn(text)).trim(),
  };
}

/** Formats a payment as the row shows it and `paymentOf` reads it: «Tarjeta, 20/11/2026». */
export function paymentText(payment: Payment): string {
  if (payment.is !== 'paid') return '';
  const { metodo, fecha, importe, words } = payment;
  const named =
    metodo === 'otro' && /\p{L}{3}/u.test(words) && !/^ot(ro|her)/i.test(words)
      ? `Otro (${words.slice(0, 60)})`
      : METODO_PAGO_LABEL[metodo];
  const label = metodo === 'tarjeta' ? 'Tarjeta' : named;
  return [importe && `${showNumber(importe, 2)} €`, label, fecha?.split('-').reverse().join('/')].filter(Boolean).join(', ');
}

/** Request field with the payment of an order; empty if the order is not paid. */
export function pagoOf({ pago, pago_referencia }: Values): Pick<Fila, 'pago'> {
  const payment = paymentOf(pago, true);
  if (payment.is !== 'paid') return {};
  const { metodo, fecha, words } = payment;
  const referencia = (pago_referencia || (/^otro \(/i.test(pago) ? words : '')).slice(0, 120);
  return { pago: { metodo, ...(referencia && { referencia }), ...(fecha && { fecha }) } };
}

const METHOD_TITLE =
  /^(pago|pagos|(metodo|forma|medio|tipo|modo|via|modalidad|sistema) (de )?(pago|cobro)|payment|payments|(order )?pay(ment)? (method|type|mode|gateway|provider|option)( title| name)?|gateway|paid (by|with|via)|(pagado|cobrado) (con|por|mediante)|payment method title)$/;
const STATE_TITLE =
  /^(pagad[oa]|cobrad[oa]|pagado si no|esta pagado|abonado|estado (del |de )?(pago|cobro)|situacion (del |de )?(pago|cobro)|(order )?payment (status|state)|financial status|paid|is paid|paid at|paid on|paid date|paid on date|date paid|payments? date|order paid date|fecha (de |del )?(pago|cobro)|(pagado|cobrado) el)$/;
const ORDER_STATE = /^(estado|estado (del )?pedido|estado actual|situacion|status|order status|order state|state of order)$/;

/**
 * Marks the columns that say how and whether an order is paid; together they are the payment. The state of an order counts
 * only beside a payment method: «Processing» means that the order is paid, or will be paid on delivery.
 */
export function withPayment(titles: readonly string[] | null, columns: Targets, rows: readonly Row[]): Targets {
  if (!titles || columns.includes('pago')) return columns;
  const keys = titles.map(titleKey);
  const free = (at: number) => columns[at] === '' && rows.some(({ cells }) => cells[at]);
  const methods = keys.flatMap((title, at) => (free(at) && METHOD_TITLE.test(title) ? [at] : []));
  const states = keys.flatMap((title, at) => (free(at) && STATE_TITLE.test(title) ? [at] : []));
  const orders =
    methods.length > 0 && states.length === 0 ? keys.flatMap((title, at) => (free(at) && ORDER_STATE.test(title) ? [at] : [])) : [];
  const all = [...methods, ...states, ...orders];
  return columns.map((target, at) => (all.includes(at) ? 'pago' : target));
}

/** Rows whose payment columns do not say whether the order is paid. */
export const unsaidPayments = (rows: readonly Row[], columns: Targets): Row[] =>
  columns.includes('pago')
    ? rows.filter(
        ({ cells, typed }) =>
          typed.pago === undefined && /^un/.test(paymentOf(cells.filter((cell, at) => cell && columns[at] === 'pago').join(' ')).is),
      )
    : [];
