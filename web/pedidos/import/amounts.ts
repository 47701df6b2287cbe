import { parseNumber } from '../../ui/format/format.ts';
import { bare } from '../lineas/words.ts';
import type { Row, Values } from './row.ts';
import type { Money, Targets } from './target.ts';

/* Amounts of a sheet: shipping, discount, and a total to compare with the total of the order. */

/** Parses an amount in euros, such as «4,95 €», «1,234.50» or «gratis», without its sign. NaN for other text, such as a percentage. */
export function amountOf(text: string): number {
  const written = text.trim().toLowerCase();
  if (/^(gratis|gratuito|free|free shipping|env[ií]o gratis|incluido|-+)$/.test(written)) return 0;
  const plain = written.replace(/\s|€|\beur(?:os?)?\b|(?<=\d)eur(?:os?)?$|^eur(?=\d)/g, '');
  const english = /^-?\d{1,3}(,\d{3})+\.\d+$/.test(plain) ? plain.replaceAll(',', '') : plain;
  // Some programs write «29.900000», and negative discounts.
  const value = /^-?\d+\.\d{4,}$/.test(english) ? Number(english) : parseNumber(english);
  return Math.round(Math.abs(value) * 100) / 100;
}

const AMOUNTS: readonly Money[] = ['envio', 'descuento', 'total'];
const isAmount = (target: Targets[number]): target is Money => AMOUNTS.some((name) => name === target);
/** Words in headings of columns whose amounts belong to a line, not to the whole order. */
const OF_LINES = /l[ií]nea|line|item|art[ií]culo|producto|product|unidad|unit|%/i;

/** Clears amount columns that are empty, contain other text, or belong to a line. */
export function onlyAmounts(titles: readonly string[] | null, columns: Targets, rows: readonly Row[]): Targets {
  // Amazon exports the shipping of each item, not of the order.
  const byItem = titles?.some((title) => bare(title) === 'orderitemid');
  return columns.map((target, at) => {
    if (!isAmount(target)) return target;
    if (byItem) return '';
    const cells = rows.map((row) => row.cells[at] ?? '').filter(Boolean);
    return cells.length > 0 && !OF_LINES.test(titles?.[at] ?? '') && cells.every((cell) => !Number.isNaN(amountOf(cell))) ? target : '';
  });
}

const money = (text: string) => (text === '' ? undefined : amountOf(text));

/** Shipping and discount of an order in the sheet, in euros. Omits missing amounts and a discount of zero. */
export function amountsOf({ envio, descuento }: Values): { envio?: number; descuento?: number } {
  const [shipping, discount] = [money(envio), money(descuento)];
  return { ...(shipping !== undefined && { envio: shipping }), ...(discount ? { descuento: discount } : {}) };
}

/** Total of an order in the sheet, in euros, or else the amount to collect or already paid; undefined if unknown. */
export function totalSaid({ total, contra_reembolso, pago }: Values): number | undefined {
  // «1» means yes, «29,90» is the amount to collect.
  const collected = /\d[.,]\d|€|\d\d/.test(contra_reembolso) ? contra_reembolso : '';
  const amount = money(total || collected || (/^([\d.,]+) €/.exec(pago)?.[1] ?? ''));
  return amount === undefined || Number.isNaN(amount) || (amount === 0 && !total) ? undefined : amount;
}
