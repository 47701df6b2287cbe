import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * `npm run poblaciones -- file.csv`: generates the tables beside this file, one per province, from lines such as `28901,28065,Getafe`
 * (postcode, code and official name of the municipality; quoted if it has a comma). Source: INE (www.ine.es), Callejero del Censo Electoral
 * and Relación de municipios.
 */
const [csv = ''] = process.argv.slice(2);
const provinces = new Map<string, Map<string, string[]>>();
for (const line of readFileSync(csv, 'utf8').trim().split(/\r?\n/).slice(1)) {
  const [, postcode = '', name = ''] = /^(\d{5}),\d{5},"?([^"]+)"?$/.exec(line) ?? [];
  if (!postcode) throw new Error(`Not a line of the table: ${line}`);
  const towns = provinces.get(postcode.slice(0, 2)) ?? new Map<string, string[]>();
  provinces.set(postcode.slice(0, 2), towns);
  const town = name.split('/').map(asSpoken).join('/');
  towns.set(town, [...(towns.get(town) ?? []), postcode]);
}
for (const old of globSync(join(import.meta.dirname, '*.txt'))) rmSync(old);
for (const [province, towns] of provinces) {
  const lines = [...towns].sort(([a], [b]) => a.localeCompare(b, 'es')).map(([town, codes]) => `${town} ${codes.join(' ')}\n`);
  writeFileSync(join(import.meta.dirname, `${province}.txt`), lines.join(''));
}

/** «Gineta, La» becomes «La Gineta», and «Alcúdia, l'» becomes «L'Alcúdia». */
function asSpoken(name: string): string {
  const [, rest, article] = /^(.+), (\S+)$/.exec(name) ?? [];
  if (!rest || !article) return name;
  return `${article[0]?.toUpperCase() ?? ''}${article.slice(1)}${article.endsWith("'") ? '' : ' '}${rest}`;
}
