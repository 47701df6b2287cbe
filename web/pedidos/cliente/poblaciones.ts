import { isSpain, typedPostcode } from '../../../contract/text/country.ts';
import { plain } from '../../ui/list/local-list.ts';

// A table per province, loaded on demand; each line is a town with its postcodes: «Getafe 28901 28902».
const TABLES = import.meta.glob<string>('./poblaciones/*.txt', { query: '?raw', import: 'default' });

/** Lower-case words by which places are compared. */
export const placeWords = (text: string) =>
  plain(text)
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

const loaded = new Map<string, Promise<Towns | undefined>>();

async function load(prefix: string): Promise<Towns | undefined> {
  const text = await TABLES[`./poblaciones/${prefix}.txt`]?.().catch(() => undefined);
  if (text === undefined) {
    loaded.delete(prefix);
    return undefined;
  }
  const byPostcode = new Map<string, string[]>();
  const names = new Set<string>();
  for (const line of text.split('\n')) {
    const [codes = ''] = /( \d{5})+$/.exec(line) ?? [];
    const town = line.slice(0, line.length - codes.length);
    for (const name of namesOfTown(town)) names.add(placeWords(name));
    for (const code of codes.trim().split(' ')) byPostcode.set(code, [...(byPostcode.get(code) ?? []), town]);
  }
  return { byPostcode, names };
}

/** Loads provinces by the first two digits of their postcodes; those that cannot be loaded are absent. */
export async function loadProvinces(prefixes: Iterable<string>): Promise<Provinces> {
  const found = new Map<string, Towns>();
  for (const prefix of new Set(prefixes)) {
    const now = loaded.get(prefix) ?? load(prefix);
    loaded.set(prefix, now);
  }
  for (const prefix of new Set(prefixes)) {
    const towns = await loaded.get(prefix);
    if (towns) found.set(prefix, towns);
  }
  return found;
}

/** First two digits of a complete Spanish postcode; undefined for other postcodes. */
export function prefixOf(postcode: string, country: string): string | undefined {
  const digits = typedPostcode(postcode);
  return isSpain(country) && /^\d{5}$/.test(digits) ? digits.slice(0, 2) : undefined;
}

/** Towns of a complete Spanish postcode (INE); empty for other postcodes or if the table cannot be loaded. */
export async function poblacionesDe(postcode: string, country: string): Promise<string[]> {
  const prefix = prefixOf(postcode, country);
  const towns = prefix && (await loadProvinces([prefix])).get(prefix);
  return [...(towns ? (towns.byPostcode.get(typedPostcode(postcode)) ?? []) : [])];
}
