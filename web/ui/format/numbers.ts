/*
 * Numbers in text fields. A number input of the browser or of a library throws away what it does not
 * understand («12.50» pasted becomes 1250); here what was typed stays, and is understood or refused.
 */

/** What a person typed: `1.234,50`, `1234,5` or `12.5`; nothing is 0 (specification, section 5), NaN is not a number. */
export function parseNumber(typed: string): number {
  const compact = typed.replace(/[\s€]/g, '');
  if (compact === '') return 0;
  // Three digits behind a point are thousands: money has two decimals and units have none.
  const thousands = /^-?[1-9]\d{0,2}(\.\d{3})+(,\d*)?$/.test(compact);
  const plain = (thousands ? compact.replaceAll('.', '') : compact).replace(',', '.');
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN;
}

/** The same number as the field shows it: `1234`, and with two decimals `1234,50`. */
export const showNumber = (value: number, decimals: 0 | 2 = 0): string => value.toFixed(decimals).replace('.', ',');

/** `typed` in the field's own form; untouched when it is nothing, no number or has more decimals than the field. */
export function tidyNumber(typed: string, decimals: 0 | 2 = 0): string {
  const value = parseNumber(typed);
  if (typed.trim() === '') return '';
  return Number(value.toFixed(decimals)) === value ? showNumber(value, decimals) : typed;
}
