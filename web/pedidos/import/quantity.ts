import { parseNumber } from '../../ui/format/format.ts';

/* Reads quantities of a sheet: «2.0», or beside a product, «3 x MIEL500». */

/** True for «1.000», which is 1 in an English program and a thousand in a Spanish one. */
export const isAmbiguous = (text: string): boolean => /^[1-9]\d{0,2}[.,]000$/.test(text.trim());

/** Number in a cell; NaN for other text, such as «2 uds», and if ambiguous. */
export function parseQuantity(text: string): number {
  const written = text.trim();
  return isAmbiguous(written) ? Number.NaN : parseNumber(written.replace(/[.,]0{1,2}$/, ''));
}

const IN_CELL: readonly RegExp[] = [
  // «3 x MIEL500», «3×MIEL500»
  /^(?<n>\d{1,4})\s?(?:[x×*]\s|[x×*](?=\p{L}))(?<text>.+)$/iu,
  // «MIEL500 x2», «MIEL500 (x4)»
  /^(?<text>.+?)\s(?:[x×*]\s?(?<n>\d{1,4})|\(\s?[x×]\s?(?<m>\d{1,4})\s?\))$/iu,
];
const LABELLED = /(?:^|\|)\s*(name|sku|product|quantity|qty)\s*:\s*([^|]*)/gi;

/** Product and quantity of a cell that contains both, otherwise undefined. */
export function countedIn(cell: string): { text: string; cantidad: string } | undefined {
  const parts = new Map([...cell.matchAll(LABELLED)].map(([, name = '', value = '']) => [name.toLowerCase(), value.trim()]));
  const text = parts.get('name') ?? parts.get('product') ?? parts.get('sku');
  if (text) return { text, cantidad: parts.get('quantity') ?? parts.get('qty') ?? '' };
  for (const pattern of IN_CELL) {
    const { n, m, text: product } = pattern.exec(cell.slice(0, 300))?.groups ?? {};
    const cantidad = n ?? m;
    if (product && cantidad) return { text: product.trim(), cantidad };
  }
  return undefined;
}
