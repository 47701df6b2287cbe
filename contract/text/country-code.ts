import { readCountry } from './country.ts';
import { foldText } from './normalize.ts';

/* Codes of countries (ISO 3166-1) by their names in the languages that orders are written in. */

const LANGUAGES = ['es', 'en', 'fr', 'de', 'it', 'pt', 'ca', 'gl', 'eu', 'nl', 'nb', 'sv', 'da', 'fi', 'pl', 'ro'];
/** Names that people write and the Unicode names lack, folded. */
const ALSO: Readonly<Record<string, string>> = {
  AD: 'and|principado de andorra|principat d andorra',
  BE: 'bel',
  CH: 'che|sui',
  DE: 'deu|rfa',
  FR: 'fra',
  GB: 'uk|gbr|gran bretana|great britain|inglaterra|england|escocia|scotland|gales|wales|irlanda del norte|northern ireland',
  GR: 'el|grc',
  IE: 'irl|eire|republica de irlanda',
  IT: 'ita',
  NL: 'nld|holanda|holland',
  PT: 'prt|por',
  US: 'usa|ee uu|eeuu|estados unidos de america|united states of america',
};

const plain = (text: string): string =>
  foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

let names: Map<string, string> | undefined;
function readNames(): Map<string, string> {
  const found = new Map<string, string>();
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const spanish = new Intl.DisplayNames('es', { type: 'region', fallback: 'none' });
  const codes = letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => spanish.of(code));
  // Old codes have the name of their successor: DD that of DE.
  const current = new Set(codes.map((code) => Intl.getCanonicalLocales(`und-${code}`)[0]?.slice(4) ?? code));
  for (const language of LANGUAGES) {
    const list = new Intl.DisplayNames(language, { type: 'region' });
    for (const code of current) found.set(plain(list.of(code) ?? code), code);
  }
  for (const code of current) found.set(code.toLowerCase(), code);
  for (const [code, also] of Object.entries(ALSO)) for (const name of also.split('|')) found.set(name, code);
  return found;
}

/** Returns the code of a country however written, `ES` for Spain, its islands and an empty text; undefined for an unknown name. */
export function countryCode(text: string | null | undefined): string | undefined {
  if (readCountry(text).spain) return 'ES';
  names ??= readNames();
  return names.get(plain(text ?? ''));
}

/** Every name and code of a country, in lower case and without accents, for the SQL function `prefijo`. */
export function countryNames(code: string): string[] {
  names ??= readNames();
  return [...names].flatMap(([name, own]) => (own === code ? [name] : []));
}
