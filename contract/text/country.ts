import { foldText, normalizeText } from './normalize.ts';

/* The only place that reads countries: recognises Spain and its islands however people and programs write them. */

const SPAIN = new Set(
  `es esp spain espana espanya espainia espagne spanien spagna espanha spanje spania hiszpania ispanya hispania espagna spanyolorszag spanelsko
  ispania estado`.split(/\s+/),
);
/** Parts of Spain that some programs list as countries. ISO 3166 reserves IC for the Canary Islands, and EA for Ceuta and Melilla. */
const PARTS: readonly (readonly [RegExp, 'canarias' | 'baleares' | 'ceuta_melilla'])[] = [
  [/^(ic|canarias|canaries|canary|canaria|kanaren|kanarische|canarie|canarien)$/, 'canarias'],
  [/^(baleares|balears|balearic|balearen|baleari|mallorca|menorca|ibiza|eivissa|formentera)$/, 'baleares'],
  [/^(ea|ceuta|melilla)$/, 'ceuta_melilla'],
];
/** Words that can accompany the country's name: «España - Península», «Islas Canarias», «Kingdom of Spain». */
const BESIDE = new Set(
  `islas islands island isole iles inseln illes illas isla peninsula peninsular peninsularia continental mainland reino kingdom regne espanol of the de del d y e and
  las los les`.split(/\s+/),
);

export type Country = { spain: boolean; part?: 'canarias' | 'baleares' | 'ceuta_melilla' };

/** Reads a country; an empty text is Spain. */
export function readCountry(text: string | null | undefined): Country {
  // The flag emoji consists of two regional indicator symbols.
  const written = foldText((text ?? '').replaceAll('\u{1f1ea}\u{1f1f8}', ' es ')).replace(/[^\p{L}\p{N}]+/gu, ' ');
  const words = written.trim().split(' ').filter(Boolean);
  if (words.length === 0) return { spain: (text ?? '').trim() === '' || !/\p{L}/u.test(text ?? '') };
  if (words.join('') === '724') return { spain: true };
  const partOf = (word: string) => PARTS.find(([pattern]) => pattern.test(word))?.[1];
  const named = words.filter((word) => !BESIDE.has(word));
  if (named.length === 0) return { spain: words.some((word) => /^peninsula/.test(word)) };
  if (!named.every((word) => SPAIN.has(word) || partOf(word))) return { spain: false };
  const part = named.map(partOf).find(Boolean);
  return part ? { spain: true, part } : { spain: true };
}

/** Spanish name of the country with this code of two letters; any other text unchanged. */
export const countryNamed = (text: string): string =>
  /^[A-Z]{2}$/.test(text) ? (new Intl.DisplayNames('es', { type: 'region' }).of(text) ?? text) : text;

/** True for Spain, and for an empty country. */
export const isSpain = (text: string | null | undefined): boolean => readCountry(text).spain;

/* The only place that reads Spanish postcodes. The SQL function `codigo_postal` must agree. */

/** Patterns that TypeScript and SQL share, tried in this order. */
const POSTCODES = [
  // Written by a program as a decimal number, without the leading zero: «1001.0».
  '(?<![0-9])[0-9]{4,5}(?=[.,]0{1,2}(?![0-9]))',
  // «28013», «28 013», «28.013», «ES-28013», «28013 Madrid»
  '(?<![0-9])[0-9](?:[ .,-]?[0-9]){4}(?![0-9])',
  // Written by a spreadsheet, which drops the leading zero: «8001».
  '(?<![0-9])[0-9][ .]?[0-9]{3}(?![0-9]|-[0-9])',
] as const;
/** Matches postcodes of other countries, such as «F-28013». */
const ABROAD = '^(?!(?:e|es|esp|cp)[ -]?[0-9])[a-z]{1,3}[ -]?[0-9]';
const FOREIGN = new RegExp(ABROAD, 'i');
const READ = POSTCODES.map((pattern) => new RegExp(pattern));

const plain = (text: string) =>
  normalizeText(text)
    .normalize('NFKC')
    .replace(/[\p{Pd}\u2212]/gu, '-');

/** Returns the five digits of a Spanish postcode, however written; '' if there are none. */
export function readPostcode(text: string | null | undefined): string {
  const read = plain(text ?? '').trim();
  if (FOREIGN.test(read)) return '';
  const found = READ.map((pattern) => pattern.exec(read)?.[0]).find((digits) => digits !== undefined);
  return found?.replace(/[^0-9]/g, '').padStart(5, '0') ?? '';
}

/** Returns the digits of a postcode while it is typed: up to four digits are incomplete, not short of a leading zero. */
export const typedPostcode = (text: string): string => /^(?:E(?:SP?)?[ -]?)?(\d{1,4})$/i.exec(text.trim())?.[1] ?? readPostcode(text);
