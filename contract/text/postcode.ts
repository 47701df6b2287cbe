import { isSpain, readCountry } from './country.ts';
import { plainNif } from './nif.ts';
import { normalizeText } from './normalize.ts';

/* The only place that reads Spanish postcodes. The SQL function `codigo_postal` must agree. */

/** Patterns that TypeScript and SQL share, tried in this order. */
export const POSTCODES = [
  // Written by a program as a decimal number, without the leading zero: «1001.0».
  '(?<![0-9])[0-9]{4,5}(?=[.,]0{1,2}(?![0-9]))',
  // «28013», «28 013», «28.013», «ES-28013», «28013 Madrid»
  '(?<![0-9])[0-9](?:[ .,-]?[0-9]){4}(?![0-9])',
  // Written by a spreadsheet, which drops the leading zero: «8001».
  '(?<![0-9])[0-9][ .]?[0-9]{3}(?![0-9]|-[0-9])',
] as const;
/** Matches postcodes of other countries, such as «F-28013». */
export const ABROAD = '^(?!(?:e|es|esp|cp)[ -]?[0-9])[a-z]{1,3}[ -]?[0-9]';
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

type Place = Partial<Record<'cliente_codigo_postal' | 'cliente_pais' | 'cliente_nif', string | null | undefined>>;

/** Returns the place as stored: a Spanish postcode in five digits, Spain as «España», a tax number as the law writes it. */
export function storedPlace<P extends Place>(place: P): P {
  const { cliente_codigo_postal, cliente_pais, cliente_nif } = place;
  const written = cliente_nif ? { ...place, cliente_nif: plainNif(cliente_nif) } : place;
  if (!isSpain(cliente_pais)) return written;
  const digits = readPostcode(cliente_codigo_postal);
  // Without a postcode, keeps an island named as the country: only the name locates the address.
  const named = cliente_pais?.trim() && (digits || !readCountry(cliente_pais).part);
  return { ...written, ...(digits && { cliente_codigo_postal: digits }), ...(named && { cliente_pais: 'España' }) };
}
