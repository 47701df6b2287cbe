import { expect, test } from 'vitest';
import { isNif, plainNif } from './nif.ts';

test.each([
  '12345678Z',
  '12.345.678-z',
  'X1234567L',
  'Y1234567X',
  'Z1234567R',
  'A58818501',
  'ESA58818501',
  'B-58378431',
  'Q2826000H',
  'P2807900B',
  'G28197564',
  'U92345677',
])('%s is a NIF', (nif) => {
  expect([nif, isNif(nif)]).toEqual([nif, true]);
});

test.each([
  '',
  '12345678A',
  '1234567Z',
  'X12345678L',
  'X1234567A',
  'A58818502',
  'A5881850A',
  'Q28260008',
  'ES91 2100 0418',
  'B12345678; DROP',
  'Ñ58818501',
])('«%s» is not a NIF', (nif) => {
  expect([nif, isNif(nif)]).toEqual([nif, false]);
});

test('only one control letter fits a number', () => {
  const wrong = [...'TRWAGMYFPDXBNJZSQVHLCKE'].filter((letter) => isNif(`12345678${letter}`));
  expect(wrong).toEqual(['Z']);
});

test('separators and the country prefix are removed', () => {
  expect([plainNif(' es b-58.378.431 '), plainNif('12.345.678-z')]).toEqual(['B58378431', '12345678Z']);
});
