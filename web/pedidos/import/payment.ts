import { METODO_PAGO_LABEL, METODOS_PAGO } from '../../../contract/payments/fields.ts';
import type { Fila } from '../../../contract/pedidos/import.ts';
import { AMOUNT_WORD, knownMeaning, wordKey, wordMeaning } from '../../../contract/sheets/words.ts';
import { dayIn, wordIn } from '../../sheets/reading.ts';
import { money, parseNumber, showNumber } from '../../ui/format/format.ts';
import type { Reading, Row, Values } from './target.ts';

/* Amounts and payments of a sheet: what is paid is an amount, all of it if the sheet names none. */

/** Parses an amount in euros, such as «4,95 €» or «1,234.50», without its sign. NaN for other text, such as a percentage. */
export function parseAmount(text: string): number {
  const plain = text.trim().replace(/^€\s?|\s?(?:€|eur)$/gi, '');
  if (plain === '') return Number.NaN;
  const english = /^-?\d{1,3}(,\d{3})+\.\d+$/.test(plain) ? plain.replaceAll(',', '') : plain;
  // Some programs write «29.900000», and negative discounts.
  const value = /^-?\d+\.\d{4,}$/.test(english) ? Number(english) : parseNumber(english);
  return Math.round(Math.abs(value) * 100) / 100;
}

const amount = (text: string) => (text === '' ? undefined : parseAmount(text));

/** Shipping and discount of an order in the sheet, in euros. Omits missing amounts and a discount of zero. */
export function shippingAndDiscount({ envio, descuento }: Values): { envio?: number; descuento?: number } {
  const [shipping, discount] = [amount(envio), amount(descuento)];
  return { ...(shipping !== undefined && { envio: shipping }), ...(discount ? { descuento: discount } : {}) };
}

type Metodo = (typeof METODOS_PAGO)[number];
export type Payment = { metodo: Metodo; importe?: number; fecha?: string };
const isMetodo = (text: string): text is Metodo => METODOS_PAGO.some((metodo) => metodo === text);

const PART = 'En parte';
const BOTH = 'Pagado y contra reembolso';
const showDay = (day: string) => day.split('-').map(Number).reverse().join('/');

/** Reads a payment as a row shows it: «10,00 €, Tarjeta, 20/11/2026». `none`: not paid. Undefined for other text. */
export function parsePayment(text: string): Payment | 'none' | undefined {
  if (text.trim() === '') return 'none';
  const payment: Payment = { metodo: 'otro' };
  for (const part of text.split(/,\s+/)) {
    const key = wordKey(part);
    const metodo = METODOS_PAGO.find((each) => each === key || wordKey(METODO_PAGO_LABEL[each]) === key);
    const [day, importe] = [dayIn(part), parseAmount(part)];
    if (metodo) payment.metodo = metodo;
    else if (day) payment.fecha = day;
    else if (!Number.isNaN(importe)) payment.importe = importe;
    else if (key !== 'pagado') return undefined;
  }
  return payment.importe === 0 ? 'none' : payment;
}

/** What is wrong with a payment as typed or read; undefined if nothing. */
export function paymentProblem({ pago, contra_reembolso, total }: Values): string | undefined {
  if (pago === PART) return 'Escribe cuánto se ha pagado, como «10,00 €, Bizum»';
  if (pago === BOTH) return 'Dice pagado y contra reembolso: deja solo uno, o escribe cuánto se ha pagado';
  const payment = parsePayment(pago);
  if (payment === undefined)
    return `No se entiende «${pago}»: escribe ${METODOS_PAGO.join(', ')}, con el importe si es una parte, o déjalo vacío`;
  const whole = payment !== 'none' && (payment.importe === undefined || payment.importe >= (amount(total) ?? Number.POSITIVE_INFINITY));
  return whole && contra_reembolso === 'Sí' ? 'Dice pagado y contra reembolso: deja solo uno' : undefined;
}

/**
 * Payment of a row as text, and whether the order is paid on delivery, from all columns that say so: a word, an amount or a day each. What
 * nobody has given a meaning pays nothing.
 */
export function paymentIn({ cells, marks }: Row, { columns, words, monthFirst }: Reading, delivery: string) {
  const meanings: string[] = [];
  let [importe, fecha]: [number | undefined, string | undefined] = [undefined, undefined];
  for (const [at, column] of columns.entries()) {
    const cell = cells[at] ?? '';
    if (column !== 'pago') continue;
    const day = dayIn(cell, marks?.[at] ? false : monthFirst);
    if (day) fecha ??= day;
    else if (wordIn(cell) === AMOUNT_WORD) importe ??= parseAmount(cell);
    else meanings.push(wordMeaning('pago', cell, words) ?? '');
  }
  const means = (meaning: string) => meanings.includes(meaning);
  const paid = !means('no') && importe !== 0 && (!!fecha || importe !== undefined || meanings.some((each) => /^(pagado|parte)/.test(each)));
  const metodo = meanings.map((each) => each.replace(/^pagado:/, '')).find(isMetodo) ?? 'otro';
  const onDelivery = deliveryIn(delivery, words) ?? (means('reembolso') ? 'Sí' : '');
  const label = [importe && `${showNumber(importe, 2)} €`, METODO_PAGO_LABEL[metodo], fecha && showDay(fecha)].filter(Boolean).join(', ');
  const part = importe === undefined && means('parte') ? PART : importe === undefined && onDelivery === 'Sí' ? BOTH : label;
  return { pago: paid ? part : '', contra_reembolso: onDelivery };
}

/** «Sí», «No», or the amount to collect as it is written; undefined for a word that nobody has given a meaning. */
function deliveryIn(cell: string, words: Reading['words']): string | undefined {
  if (wordIn(cell) === AMOUNT_WORD) return parseAmount(cell) > 0 ? cell : 'No';
  const meaning = wordMeaning('contra_reembolso', cell, words);
  return meaning === undefined ? undefined : meaning === 'si' ? 'Sí' : 'No';
}

/** True for an order paid on delivery; undefined for a text that is neither yes or no nor an amount to collect. */
export function isOnDelivery(text: string): boolean | undefined {
  if (text === '' || text === 'No') return false;
  if (text === 'Sí') return true;
  const collected = parseAmount(text);
  if (!Number.isNaN(collected)) return collected > 0;
  const meaning = knownMeaning('contra_reembolso', text);
  return meaning === undefined ? undefined : meaning === 'si';
}

/** Request field with the payment of an order; empty if the order is not paid. */
export function pagoField({ pago, pago_referencia }: Values): Pick<Fila, 'pago'> {
  const payment = parsePayment(pago);
  if (payment === undefined || payment === 'none') return {};
  return { pago: { ...payment, ...(pago_referencia && { referencia: pago_referencia.slice(0, 120) }) } };
}

/** Amount that the order must come to by the sheet: its total, or else what is paid and to collect; undefined if the sheet names none. */
export function totalSaid(values: Values): number | undefined {
  const { total, collected, paid } = saidBy(values);
  const sum = total ?? (collected === undefined && paid === undefined ? undefined : (collected ?? 0) + (paid ?? 0));
  return sum === undefined || Number.isNaN(sum) ? undefined : sum;
}

function saidBy({ total, contra_reembolso, pago }: Values) {
  const payment = parsePayment(pago);
  // «1» means yes, «29,90» is the amount to collect.
  const collected = /\d[.,]\d|€|\d\d/.test(contra_reembolso) ? parseAmount(contra_reembolso) : undefined;
  return { total: amount(total), collected, paid: typeof payment === 'object' ? payment.importe : undefined };
}

/** Sentence for amounts of a row that do not add up, or of which a part is paid; undefined otherwise. */
export function partPaid(values: Values): string | undefined {
  const { total, collected, paid } = saidBy(values);
  if (total === undefined || (paid === undefined && collected === undefined)) return undefined;
  const left = total - (paid ?? 0) - (collected ?? 0);
  const rest = collected === undefined ? '' : ` y por cobrar ${money(collected)}`;
  if (Math.abs(left) < 0.005) return undefined;
  return `De ${money(total)} hay pagado ${money(paid ?? 0)}${rest}: ${left > 0 ? `quedan ${money(left)} por pagar` : `sobran ${money(-left)}`}`;
}
