import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { poblacionesDe } from './poblaciones.ts';

test.each([
  ['28013', 'España', ['Madrid']],
  ['ES-46 001', '', ['València']],
  ['44382', 'España', ['Aguatón', 'Singra', 'Torrelacárcel']],
  ['44510', 'España', ['La Puebla de Híjar']],
  ['46250', 'España', ["L'Alcúdia"]],
  ['51001', 'España', ['Ceuta']],
  ['2801', 'España', []],
  ['28999', 'España', []],
  ['99999', 'España', []],
  ['28013', 'Portugal', []],
])('the towns of postcode %s in country «%s» are %j', async (postcode, country, towns) => {
  expect(await poblacionesDe(postcode, country)).toEqual(towns);
});

test('every province has a table with only its own postcodes', () => {
  const folder = join(import.meta.dirname, 'poblaciones');
  const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  expect(files).toEqual(Array.from({ length: 52 }, (_, i) => `${String(i + 1).padStart(2, '0')}.txt`));
  let pairs = 0;
  for (const file of files) {
    for (const line of readFileSync(join(folder, file), 'utf8').trimEnd().split('\n')) {
      expect(line).toMatch(new RegExp(`^[\\p{L}'’.,/·() -]+?( ${file.slice(0, 2)}\\d{3})+$`, 'u'));
      pairs += line.match(/ \d{5}/g)?.length ?? 0;
    }
  }
  expect(pairs).toBeGreaterThan(11_000);
});
