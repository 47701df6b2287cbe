import { isSpain, typedPostcode } from '../text/country.ts';
import { foldText } from '../text/normalize.ts';

/* Towns of Spanish postcodes (INE, decision 033). Browser and server load the tables in their own ways. */

/** Lower-case words by which places are compared. */
export const placeWords = (text: string): string =>
  foldText(text)
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** Names of a town: «Donostia/San Sebastián» has two, and articles are optional. */
export function namesOfTown(town: string): string[] {
  const parts = [...town.split(/\s*\/\s*/), ...(town.includes('-') ? town.split('-') : [])];
  const short = parts.map((part) => part.replace(/^(?:El|La|Los|Las|L'|Els|Les|O|A|Os|As)\s*/, ''));
  return [town, ...parts, ...short].filter((name) => name.length > 2);
}

/** Towns of a province by postcode, and the `placeWords` of all their names. */
export type Towns = { byPostcode: ReadonlyMap<string, readonly string[]>; names: ReadonlySet<string> };
/** Loaded provinces, by the first two digits of their postcodes. */
export type Provinces = ReadonlyMap<string, Towns>;

/** Reads the table of a province; each line is a town with its postcodes: «Getafe 28901 28902». */
export function readTowns(table: string): Towns {
  const byPostcode = new Map<string, string[]>();
  const names = new Set<string>();
  for (const line of table.split('\n')) {
    const [codes = ''] = /( \d{5})+$/.exec(line) ?? [];
    const town = line.slice(0, line.length - codes.length);
    for (const name of namesOfTown(town)) names.add(placeWords(name));
    for (const code of codes.trim().split(' ')) byPostcode.set(code, [...(byPostcode.get(code) ?? []), town]);
  }
  return { byPostcode, names };
}

/** First two digits of a complete Spanish postcode; undefined for other postcodes. */
export function postcodePrefix(postcode: string, country: string): string | undefined {
  const digits = typedPostcode(postcode);
  return isSpain(country) && /^\d{5}$/.test(digits) ? digits.slice(0, 2) : undefined;
}
