import { foldText, normalizeText } from '../text/normalize.ts';
import { readScanned } from '../text/scanned.ts';
import { telephonesIn } from '../text/telephone.ts';

/* Reads the text of a search. `server/pedidos/lectura/filter.ts` asks it of the database, `listed.ts` of orders in memory. */

/** Text of a search as it is asked: ordinary characters, scanned codes as order numbers. */
export const readSearch = (text: string): string => readScanned(normalizeText(text).trim());

/** True if the text has words to search; a single letter or digit does not count. */
export const isSearch = (search: string | undefined): search is string =>
  !!search && !/^[\p{L}\p{N}]$/u.test(search) && searchTerms(search).length > 0;

/** Spellings of the order number that the search consists of; undefined for any other search. */
export function wholeNumbers(search: string): string[] | undefined {
  const [number = '', ...more] = searchTerms(search);
  if (more.length > 0 || !/^ORD-\d{10,}$/i.test(number)) return undefined;
  return [search, search.toUpperCase(), number, number.replace('-', '')];
}

const FIGURES = /(?<!\S)[+(]?\d[\d\s()./-]*\d(?!\S)/g;
/** Order number as a bank shows it: «ord 2026 000048». */
const OWN_NUMBER = /(?<![\p{L}\p{N}])ORD[ ./-]*(\d{4})[ ./-]*(\d{6,})(?!\d)/giu;
const CURRENCY = /(\d[.,]\d{2}) ?(?:€|eur(?:os?)?(?!\p{L}))/giu;
const AMOUNT = /^(\d{1,3}(?:\.\d{3})+|\d+)[.,](\d{2})$/;
const DASHES = /[\p{Pd}\u2212]/gu;

/**
 * Terms of a search, eight at most. A phone in any format («+34 600-11 22 33», «600 11 22 33» after a name) becomes one term of national digits,
 * as stored. Drops lone punctuation; «#648» is the order 648.
 */
export function searchTerms(search: string): string[] {
  const written = normalizeText(search).replace(DASHES, '-').trim();
  const joined = written
    .replace(OWN_NUMBER, 'ORD-$1$2')
    .replace(CURRENCY, '$1')
    .replace(FIGURES, (figures) => {
      const found = telephonesIn(figures);
      if (found.length > 0) return found.join(' ');
      if (AMOUNT.test(figures)) return figures;
      const digits = figures.replace(/\D/g, '');
      return digits.length === 9 || (figures === written && digits.length >= 5) ? digits : figures;
    });
  const words = joined.split(/\s+/).map((word) => word.replace(/^#(?=\w)|[,;]+$/g, ''));
  return words.filter((word) => !/^[-.,;:·/#]*$/.test(word)).slice(0, 8);
}

/** A term as typed, without signs as a bank shows numbers, or with the comma of stored amounts; one of them must be found. */
export function termSpellings(term: string): string[] {
  const [, whole = '', cents] = AMOUNT.exec(term) ?? [];
  const bare = term.replace(/[^\p{L}\p{N}]+/gu, '');
  const amount = cents && `${whole.replaceAll('.', '')},${cents}`;
  return [...new Set([term, amount || (/\d/.test(term) && bare.length >= 4 ? bare : term)])];
}

/** True if a term has one or two characters and must begin a word: elsewhere it matches too many orders. */
export const beginsWord = (term: string): boolean => /^[\p{L}\p{N}]{1,2}$/u.test(term);

/** True if `text` (folded, a space before each word) has every term of `search`. */
export const isFoundIn = (text: string, search: string): boolean =>
  searchTerms(search).every((term) => termSpellings(term).some((each) => text.includes(foldText(beginsWord(each) ? ` ${each}` : each))));
