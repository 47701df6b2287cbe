/*
 * Numbers in text fields. Number inputs discard what they do not understand («12.50» pasted becomes 1250); here typed text stays, to be
 * parsed or refused.
 */

/** Parses `1.234,50`, `1234,5` or `12.5`; empty text is 0 (specification, section 5), anything else NaN. */
export function parseNumber(typed: string): number {
  const compact = typed.replace(/[\s€]/g, '');
  if (compact === '') return 0;
  // Three digits after a point are thousands: money has two decimals, units none.
  const thousands = /^-?[1-9]\d{0,2}(\.\d{3})+(,\d*)?$/.test(compact);
  const plain = (thousands ? compact.replaceAll('.', '') : compact).replace(',', '.');
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN;
}

/** Number as the field shows it: `1234` or, with two decimals, `1234,50`. */
export const showNumber = (value: number, decimals: 0 | 2 = 0): string => value.toFixed(decimals).replace('.', ',');

/** Normalises `typed`. Invalid text and numbers with too many decimals stay unchanged. */
export function tidyNumber(typed: string, decimals: 0 | 2 = 0): string {
  const value = parseNumber(typed);
  if (typed.trim() === '') return '';
  return Number(value.toFixed(decimals)) === value ? showNumber(value, decimals) : typed;
}
