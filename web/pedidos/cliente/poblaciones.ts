import { type Provinces, postcodePrefix, readTowns, type Towns } from '../../../contract/doubts/towns.ts';
import { typedPostcode } from '../../../contract/text/country.ts';

// A table per province, loaded on demand.
const TABLES = import.meta.glob<string>('./poblaciones/*.txt', { query: '?raw', import: 'default' });

const loaded = new Map<string, Promise<Towns | undefined>>();

async function load(prefix: string): Promise<Towns | undefined> {
  const text = await TABLES[`./poblaciones/${prefix}.txt`]?.().catch(() => undefined);
  if (text === undefined) loaded.delete(prefix);
  return text === undefined ? undefined : readTowns(text);
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

/** Towns of a complete Spanish postcode (INE); empty for other postcodes or if the table cannot be loaded. */
export async function poblacionesDe(postcode: string, country: string): Promise<string[]> {
  const prefix = postcodePrefix(postcode, country);
  const towns = prefix && (await loadProvinces([prefix])).get(prefix);
  return [...(towns ? (towns.byPostcode.get(typedPostcode(postcode)) ?? []) : [])];
}
