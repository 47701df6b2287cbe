import { expect, test } from 'vitest';
import { provinciaByPostcode, provinciaOfCode } from './provincias.ts';

test.each([
  ['01001', 'España', 'Álava'],
  ['28013', 'España', 'Madrid'],
  ['46', 'España', 'Valencia'],
  [' 08001 ', '', 'Barcelona'],
  ['38001', 'espana', 'Santa Cruz de Tenerife'],
  ['52006', 'España', 'Melilla'],
  ['28 013', 'España', 'Madrid'],
  ['280 13', 'España', 'Madrid'],
  ['08.001', 'España', 'Barcelona'],
  ['08\u00a0001\u200b', 'España', 'Barcelona'],
  ['ES-28013', 'España', 'Madrid'],
  ['E–08001', 'España', 'Barcelona'],
  ['esp 46 001', 'España', 'Valencia'],
  ['E28', 'España', 'Madrid'],
])('postcode %s in country «%s» belongs to the province %s', (postcode, country, provincia) => {
  expect(provinciaByPostcode(postcode, country)).toBe(provincia);
});

test.each([
  ['2', 'España'],
  ['00100', 'España'],
  ['53001', 'España'],
  ['1000-001', 'España'],
  ['280133', 'España'],
  ['75008', 'Francia'],
  ['28013', 'Portugal'],
  ['28 013', 'Francia'],
  ['ES-28013', 'Portugal'],
  ['F-28013', 'España'],
  ['EP-28013', 'España'],
  ['E', 'España'],
])('postcode %s in country «%s» belongs to no known province', (postcode, country) => {
  expect(provinciaByPostcode(postcode, country)).toBeUndefined();
});

test.each([
  ['PM', 'Baleares'],
  ['ES-ML', 'Melilla'],
  ['ES-ES-ML', undefined],
  ['XX', undefined],
])('the code «%s» is that of %s', (code, provincia) => expect(provinciaOfCode(code)).toBe(provincia));
