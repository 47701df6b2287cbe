import { withoutEntities } from './entities.ts';

/* Normalises all text from forms, sheets, chats and programs before it is stored. */

/**
 * Returns text as people see it: composed letters (NFC), no invisible format characters, ordinary spaces and line breaks. The SQL function
 * `limpia` must agree.
 */
export const normalizeText = (text: string): string =>
  text
    .replace(/\p{Cf}/gu, '')
    .replace(/[\u2028\u2029\u0085]|\r\n?/g, '\n')
    .replace(/\p{Zs}/gu, ' ')
    .normalize('NFC');

/** The only cleaning of text that comes in by any door: HTML character references, then `normalizeText`. */
export const cleanText = (text: string): string => normalizeText(withoutEntities(text));

/** Search replacements for Latin letters that Unicode does not decompose. */
const LETTERS: Record<string, string> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ß: 'ss', æ: 'ae', œ: 'oe', ħ: 'h', ı: 'i', ŋ: 'n', ŧ: 't', ə: 'e', ĸ: 'k', ƒ: 'f' },
  // Apostrophes, dashes and quotation marks as keyboards type them.
  ...{ '‘': "'", '’': "'", ʼ: "'", ʻ: "'", '′': "'", '´': "'", '‛': "'", '“': '"', '”': '"', '„': '"', '«': '"', '»': '"' },
  ...{ '‐': '-', '‑': '-', '‒': '-', '–': '-', '—': '-', '−': '-', '⁄': '/' },
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'giu');

/** Returns text in plain Latin letters and keeps capitals: «Łukasz, nº 4 – Ærø» becomes «Lukasz, no 4 - AEro». Other alphabets stay. */
export const plainLetters = (text: string): string =>
  text
    .replace(/\p{Cf}/gu, '')
    // Must precede NFKD, which splits «´» into a space and a combining mark.
    .replaceAll('´', "'")
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(SPECIAL, (sign) => {
      const small = sign.toLowerCase();
      const plain = LETTERS[small] ?? sign;
      return sign === small ? plain : plain.toUpperCase();
    });

/** Returns text for comparison and search: lower case, without accents of any Latin alphabet. The SQL function `normaliza` must agree. */
export const foldText = (text: string): string => plainLetters(text).toLowerCase();

/** Characters and their replacements, for the SQL function `normaliza`. */
export const FOLDED: readonly (readonly [string, string])[] = Object.entries(LETTERS);
