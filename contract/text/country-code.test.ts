import { expect, it } from 'vitest';
import { countryCode, countryNames } from './country-code.ts';

it.each([
  ['Portugal', 'PT'],
  ['prt', 'PT'],
  ['Inglaterra', 'GB'],
  ['EE. UU.', 'US'],
  // Countries that had another code before.
  ['Alemania', 'DE'],
  ['Francia', 'FR'],
  ['Reino Unido', 'GB'],
  ['Timor-Leste', 'TL'],
  [null, 'ES'],
  ['Islas Canarias', 'ES'],
  // Two letters that are no country's.
  ['QZ', undefined],
  ['fx', undefined],
  ['Ruritania', undefined],
])('«%s» has the code %s', (written, code) => expect(countryCode(written)).toBe(code));

it('the names of a country are those of the languages, its code and what people write', () => {
  expect(countryNames('PT')).toEqual(expect.arrayContaining(['portugal', 'portogallo', 'portugalia', 'pt', 'prt', 'por']));
  expect(countryNames('PT')).not.toContain('france');
});
