import { normalizeText } from './normalize.ts';

/*
 * The only place that reads telephones. A field can hold two numbers, an extension or words. Customer keys, search, calls, messages,
 * warnings and shipment files all use the first number. The SQL function `telefono` must agree.
 */

// Separators allowed between the digits of a number; a letter ends the number.
const SEP = '[ ./()-]*';
const SPANISH = String.raw`(?:(?:\+|00)${SEP}34${SEP}|34${SEP})?[6-9](?:${SEP}[0-9]){8}(?![0-9])`;
const FOREIGN = String.raw`(?:\+|00)${SEP}(?!3${SEP}4)[1-9](?:${SEP}[0-9]){6,14}(?![0-9])`;
/** Patterns that TypeScript and SQL share. */
export const PATTERN = `(?<![0-9])(?:${FOREIGN}|${SPANISH})`;
export const ANY_FIGURES = `[0-9](?:${SEP}[0-9])*`;
/** «+34 (0) 600…»: the zero is only dialled within the country. */
export const TRUNK = String.raw`\( *0 *\)`;
const NUMBER = new RegExp(PATTERN);
const NUMBERS = new RegExp(PATTERN, 'g');
const FIGURES = new RegExp(ANY_FIGURES);
const ZERO = new RegExp(TRUNK, 'g');

const plain = (text: string) =>
  normalizeText(text)
    .normalize('NFKC')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(ZERO, '');
const national = (written: string) => written.replace(/\D/g, '').replace(/^(?:00(?=[1-9]))?(?:34(?=\d{9}$))?/, '');

/** Returns the digits of the first telephone: nine for a Spanish number, else with the country code, without «+»; '' if there are none. */
export function telephoneDigits(text: string | null | undefined): string {
  const read = plain(text ?? '');
  return national((NUMBER.exec(read) ?? FIGURES.exec(read))?.[0] ?? '');
}

/** Every telephone of a field, as digits. */
export const telephonesIn = (text: string): string[] => (plain(text).match(NUMBERS) ?? []).map(national);

/** True if the field holds a telephone without stray digits beside it, such as a tenth digit. */
export function isWholeTelephone(text: string): boolean {
  const read = plain(text).replace(/\.0+$/, '');
  const rest = read.replace(NUMBERS, '\u0001');
  return rest.includes('\u0001') && !new RegExp(String.raw`\u0001${SEP}[0-9]|[0-9]${SEP}\u0001`).test(rest);
}

const isSpanish = (digits: string) => /^[6-9]\d{8}$/.test(digits);

/** A field's text as screens and paper show it: «600 102 030», «+351912345678»; what is no telephone stays. */
export const telephoneWords = (text: string | null | undefined): string =>
  plain(text ?? '')
    .replace(/\((\d{1,8})\)(?=[ .-]*\d)/g, '$1')
    .replace(NUMBERS, (found) => {
      const digits = national(found);
      return isSpanish(digits) ? digits.replace(/(...)(...)/, '$1 $2 ') : `+${digits}`;
    });

/** Digits with country prefix for wa.me; '' if the field has no complete telephone. */
export function whatsappNumber(phone: string | null | undefined): string {
  const digits = telephoneDigits(phone);
  if (isSpanish(digits)) return `34${digits}`;
  return /^[1-9]\d{9,14}$/.test(digits) ? digits : '';
}

/** `tel:` link that dials the first telephone of a field. */
export function callHref(phone: string): string {
  const read = plain(phone);
  const written = (NUMBER.exec(read) ?? FIGURES.exec(read))?.[0];
  // Short numbers such as «*123#» are dialled unchanged.
  if (written === undefined || /[*#]/.test(phone)) return `tel:${phone.replace(/[^\d+*#]/g, '')}`;
  return `tel:${/^(?:\+|00)/.test(written) ? `+${written.replace(/\D/g, '').replace(/^00/, '')}` : written.replace(/\D/g, '')}`;
}
