import { parseNumber } from '../../ui/format/format.ts';

/* Reads quantities of a sheet: «2.0», «10 uds», «media docena», or beside a product, «3 x MIEL500». */

const UNIT = String.raw`(?:x|uds?|u|unid(?:ad)?(?:es)?|unidades?|units?|pcs?|pzas?|piezas?|packs?|cajas?|botes?|tarros?|botellas?|bolsas?|latas?|paquetes?|art[ií]culos?)\.?`;
const COUNTED = new RegExp(String.raw`^(?:x\s?)?(\d{1,6}(?:[.,]\d{1,3})?)\s?(?:${UNIT})?$`, 'i');
const WORDS: Record<string, string> = {
  ...{
    'media docena': '6',
    '1/2 docena': '6',
    docena: '12',
    'una docena': '12',
    '1 docena': '12',
    'dos docenas': '24',
    '2 docenas': '24',
    par: '2',
    'un par': '2',
  },
  ...{
    un: '1',
    una: '1',
    uno: '1',
    dos: '2',
    tres: '3',
    cuatro: '4',
    cinco: '5',
    seis: '6',
    siete: '7',
    ocho: '8',
    nueve: '9',
    diez: '10',
    doce: '12',
  },
};

/** True for «1.000», which is 1 in an English program and a thousand in a Spanish one. */
export const isAmbiguous = (text: string): boolean => /^[1-9]\d{0,2}[.,]000$/.test(text.trim());

/** Number in a cell; NaN if the text is unreadable or ambiguous. */
export function quantityOf(text: string): number {
  const written = text.trim().toLowerCase().replace(/\s+/g, ' ');
  if (isAmbiguous(written)) return Number.NaN;
  const counted = COUNTED.exec(written)?.[1];
  return parseNumber(WORDS[written] ?? counted?.replace(/[.,]0+$/, '') ?? written);
}

type Counted = { text: string; cantidad: string };
const IN_CELL: readonly RegExp[] = [
  // «3 x MIEL500», «2 uds. MIEL500», «2 uds de miel»
  /^(?<n>\d{1,4})\s?(?:[x×*]\s|[x×*](?=\p{L})|(?:uds?|unid(?:ad)?(?:es)?|unidades?|units?|pcs?)\.?\s(?:de\s)?)(?<text>.+)$/iu,
  // «2 tarros de miel», whose words name the pack
  /^(?<n>\d{1,4})\s(?<text>(?:cajas?|botes?|tarros?|botellas?|bolsas?|latas?|paquetes?|packs?|garrafas?|estuches?|lotes?|sacos?|frascos?|kits?|sobres?)\s.+)$/iu,
  // «MIEL500 x2», «MIEL500 × 2», «MIEL500 (4 uds)», «MIEL500 (x4)»
  new RegExp(
    String.raw`^(?<text>.+?)\s?(?:(?<=\s)[x×*]\s?(?<n>\d{1,4})|\(\s?(?:[x×]\s?)?(?<m>\d{1,4})\s?(?:${UNIT})?\s?\)|[,:-]\s?(?<k>\d{1,4})\s(?:uds?|unid(?:ad)?(?:es)?|unidades?)\.?)$`,
    'iu',
  ),
];
const LABELLED = /(?:^|\|)\s*(name|sku|product|quantity|qty)\s*:\s*([^|]*)/gi;

/** Product and quantity of a cell that contains both, otherwise undefined. */
export function countedIn(cell: string): Counted | undefined {
  const parts = new Map([...cell.matchAll(LABELLED)].map(([, name = '', value = '']) => [name.toLowerCase(), value.trim()]));
  const text = parts.get('name') ?? parts.get('product') ?? parts.get('sku');
  if (text) return { text, cantidad: parts.get('quantity') ?? parts.get('qty') ?? '' };
  for (const pattern of IN_CELL) {
    const { n, m, k, text: product } = pattern.exec(cell.slice(0, 300))?.groups ?? {};
    const cantidad = n ?? m ?? k;
    if (product && cantidad) return { text: product.trim(), cantidad };
  }
  return undefined;
}

/** True for text that begins with a possible quantity: «2 quesos». */
export const beginsWithNumber = (cell: string): boolean =>
  /^\s*(?:\d{1,4}|un[oa]?|dos|tres|cuatro|cinco|seis|diez|docena|media docena)\s+\p{L}{2}/iu.test(cell);

/** Products of a cell that lists several with their quantities, «MIEL500 x2, ACEITE2 x1»; otherwise undefined. */
export function severalIn(cell: string): Counted[] | undefined {
  const parts = cell
    .slice(0, 2000)
    .split(/\s*[,;\n+]\s*/)
    .filter(Boolean);
  if (parts.length < 2) return undefined;
  const each = parts.map(countedIn);
  return each.every((count) => count !== undefined) ? each : undefined;
}
