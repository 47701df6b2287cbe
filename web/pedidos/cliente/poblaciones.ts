import { isSpain } from '../../../contract/text/country.ts';
import { typedPostcode } from '../../../contract/text/postcode.ts';

// A table per province, loaded on demand; each line is a town with its postcodes: «Getafe 28901 28902».
const TABLES = import.meta.glob<string>('./poblaciones/*.txt', { query: '?raw', import: 'default' });

/** Names of a town: «Donostia/San Sebastián» has two, and articles are optional. */
export function namesOfTown(town: string): string[] {
  const parts = [...town.split(/\s*\/\s*/), ...(town.includes('-') ? town.split('-') : [])];
  const short = parts.map((part) => part.replace(/^(?:El|La|Los|Las|L'|Els|Les|O|A|Os|As)\s*/, ''));
  return [town, ...parts, ...short].filter((name) => name.length > 2);
}

/** Towns of a complete Spanish postcode (INE); empty for other postcodes or if the table cannot be loaded. */
export async function poblacionesDe(postcode: string, country: string): Promise<string[]> {
  const digits = typedPostcode(postcode);
  const table = TABLES[`./poblaciones/${digits.slice(0, 2)}.txt`];
  if (!isSpain(country) || !/^\d{5}$/.test(digits) || !table) return [];
  const lines = (await table().catch(() => '')).split('\n');
  return lines.filter((line) => line.includes(` ${digits}`)).map((line) => line.replace(/( \d{5})+$/, ''));
}
