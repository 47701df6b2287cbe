import { countryCode } from './country-code.ts';
import { normalizeText } from './normalize.ts';

/*
 * The only place that reads telephones. A field can hold two numbers, an extension or words. Customer keys, search, calls, messages,
 * warnings and shipment files all use the first number. The SQL functions `telefono` and `es_inventado` must agree.
 */

/** International prefix and figures of a national number (ITU E.164; `undefined` where they vary) of the countries that orders go to. */
export const PREFIXES: Readonly<Record<string, readonly [prefix: string, figures?: number]>> = {
  ...{ AD: ['376', 6], AT: ['43'], BE: ['32'], BG: ['359'], CH: ['41', 9], CY: ['357', 8], CZ: ['420', 9], DE: ['49'], DK: ['45', 8] },
  ...{ EE: ['372'], FI: ['358'], FR: ['33', 9], GB: ['44'], GI: ['350', 8], GR: ['30', 10], HR: ['385'], HU: ['36'], IE: ['353'] },
  ...{ IT: ['39'], LT: ['370', 8], LU: ['352'], LV: ['371', 8], MA: ['212', 9], MC: ['377'], MT: ['356', 8], NL: ['31', 9] },
  ...{
    NO: ['47', 8],
    PL: ['48', 9],
    PT: ['351', 9],
    RO: ['40', 9],
    SE: ['46'],
    SI: ['386', 8],
    SK: ['421', 9],
    UA: ['380', 9],
    US: ['1', 10],
  },
};

// Separators allowed between the digits of a number; a letter ends the number.
const SEP = '[ ./()-]*';
const SPANISH = String.raw`(?:(?:\+|00)${SEP}34${SEP}|34${SEP})?[6-9](?:${SEP}[0-9]){8}(?![0-9])`;
const FOREIGN = String.raw`(?:\+|00)${SEP}(?!3${SEP}4)[1-9](?:${SEP}[0-9]){6,14}(?![0-9])`;
/** Patterns that TypeScript and SQL share. */
export const PATTERN = `(?<![0-9])(?:${FOREIGN}|${SPANISH})`;
export const ANY_FIGURES = `[0-9](?:${SEP}[0-9])*`;
/** «+34 (0) 600…»: the zero is only dialled within the country. */
export const TRUNK = String.raw`\( *0 *\)`;
/** Any figures, from six on: a number of a country whose numbers have no pattern. */
export const ABROAD = `(?:[+]${SEP})?[0-9](?:${SEP}[0-9]){5,}`;
const SLASH = '[ .()-]*/[ .()-]*';
/** `n` or more figures, without a slash; bounded, because a cell may hold ten thousand. */
const run = (n: number) => `[0-9](?:[ .()-]*[0-9]){${n - 1},14}`;
/**
 * Where a second number begins: at a slash between two that are long enough, at a slash after the one of an area code, at a slash with spaces, and
 * before a Spanish number for which the first one has no room (at most 15 figures, ITU E.164).
 */
export const CUTS = [
  `(${run(8)})${SLASH}(?=${run(6)})`,
  `(/[ .()-]*${run(6)})${SLASH}(?=[0-9])`,
  `(${run(9)})(?: +/ *|/ +)(?=[0-9])`,
  `([0-9](?:${SEP}[0-9]){7,14}[)]?)[ ./-]+(?=[(]?[6-9](?:${SEP}[0-9]){8}(?!${SEP}[0-9]))`,
] as const;
const SECOND = CUTS.map((pattern) => new RegExp(pattern, 'g'));
const FOREIGNER = new RegExp(ABROAD);
const NUMBER = new RegExp(PATTERN);
const NUMBERS = new RegExp(PATTERN, 'g');
const FIGURES = new RegExp(ANY_FIGURES);
const ZERO = new RegExp(TRUNK, 'g');

const plain = (text: string) =>
  SECOND.reduce(
    (read, second) => read.replace(second, '$1, '),
    normalizeText(text)
      .normalize('NFKC')
      .replace(/[\p{Pd}\u2212]/gu, '-')
      .replace(ZERO, ''),
  );
const national = (written: string) => written.replace(/\D/g, '').replace(/^(?:00(?=[1-9]))?(?:34(?=\d{9}$))?/, '');

type Text = string | null | undefined;
/** The first number of a text; of an order abroad, which may have a Spanish one beside it, the first that is long enough. */
function firstIn(text: Text, country: Text): string {
  const all = plain(text ?? '');
  const read = (PREFIXES[countryCode(country) ?? ''] && FOREIGNER.exec(all)?.[0]) || all;
  return (NUMBER.exec(read) ?? FIGURES.exec(read))?.[0] ?? '';
}

/**
 * Returns the digits of the first telephone: nine for a Spanish number, else with the country code, without «+»; '' if there are none. A number
 * without a prefix is one of `country`, that of the order: «912 345 678» of Lisboa is Portuguese.
 */
export function telephoneDigits(text: Text, country?: Text): string {
  const written = firstIn(text, country);
  const digits = written.replace(/\D/g, '');
  const code = countryCode(country) ?? '';
  const [prefix, figures] = PREFIXES[code] ?? [];
  if (!prefix || /^(?:\+|00)/.test(written) || digits.length < 6) return national(written);
  // Written with its prefix and without «+».
  if (digits.startsWith(prefix) && digits.length === prefix.length + (figures ?? 9)) return digits;
  // Within most countries, numbers begin with a zero that is not dialled from abroad.
  const own = code === 'IT' ? digits : digits.replace(/^0/, '');
  return figures && own.length !== figures ? national(written) : prefix + own;
}

/** Figures that no person has: the last eight go by the same step, 0, 1 or −1 («600000000», «123456789»), or are too few for their country. */
export function isMadeUp(digits: string): boolean {
  const last = [...digits.slice(-8)].map(Number);
  const steps = new Set(last.slice(1).map((figure, i) => (figure - (last[i] ?? 0) + 10) % 10));
  const [step = 0] = steps;
  const known = /^[6-9]\d{8}$/.test(digits) ? undefined : Object.values(PREFIXES).find(([prefix]) => digits.startsWith(prefix));
  return (
    digits.length < 9 || (steps.size === 1 && [0, 1, 9].includes(step)) || digits.length < (known?.[0].length ?? 0) + (known?.[1] ?? 0)
  );
}

/** Every telephone of a field, as digits. */
export const telephonesIn = (text: string): string[] => (plain(text).match(NUMBERS) ?? []).map(national);

/** True if the field holds a telephone of `country`, or a whole one, without stray digits beside it, such as a tenth digit. */
export function isWholeTelephone(text: string, country?: Text): boolean {
  const read = plain(text).replace(/\.0+$/, '');
  if (isAbroad(country) && telephoneDigits(text, country) !== national(firstIn(text, country))) return true;
  const rest = read.replace(NUMBERS, '\u0001');
  return rest.includes('\u0001') && !new RegExp(String.raw`\u0001(?:, )?${SEP}[0-9]|[0-9]${SEP}\u0001`).test(rest);
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

/** The first telephone of a field as `telephoneWords` shows it, with its prefix if it is of `country`; '' if there is none. */
export function firstTelephone(text: Text, country: Text): string {
  const digits = telephoneDigits(text, country);
  return digits.length < 9 ? '' : telephoneWords(isSpanish(digits) ? digits : `+${digits}`);
}

/** Digits with country prefix for wa.me, read with the order's country; '' if the field has no complete telephone. */
export function whatsappNumber(phone: Text, country?: Text): string {
  const digits = telephoneDigits(phone, country);
  if (isSpanish(digits)) return isAbroad(country) ? '' : `34${digits}`;
  return /^[1-9]\d{9,14}$/.test(digits) ? digits : '';
}

// A number that is not of its order's country, which has no prefix here, must not reach a person in Spain.
const isAbroad = (country: Text) => countryCode(country) !== 'ES';

/** `tel:` link that dials the first telephone of a field, read with the order's country. */
export function callHref(phone: string, country?: Text): string {
  const written = firstIn(phone, country);
  // Short numbers such as «*123#» are dialled unchanged.
  if (written === '' || /[*#]/.test(phone)) return `tel:${phone.replace(/[^\d+*#]/g, '')}`;
  const digits = telephoneDigits(phone, country);
  const isDialled = digits === national(written);
  if (!isDialled) return `tel:+${digits}`;
  return `tel:${/^(?:\+|00)/.test(written) ? `+${written.replace(/\D/g, '').replace(/^00/, '')}` : written.replace(/\D/g, '')}`;
}
