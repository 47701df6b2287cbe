import { expect, test } from 'vitest';
import { parseNumber, tidyNumber } from './format.ts';

test.each([
  ['', 0],
  ['  ', 0],
  ['7', 7],
  ['007', 7],
  ['-3', -3],
  ['12,5', 12.5],
  ['12,50 €', 12.5],
  ['€ 12,50', 12.5],
  ['1 234,50', 1234.5],
  ['12\u00a0345', 12345],
  ['12.5', 12.5],
  ['12.50', 12.5],
  [',5', 0.5],
  ['12,', 12],
  ['1.234', 1234],
  ['1.234,56', 1234.56],
  ['1.234.567', 1234567],
  ['1234.56', 1234.56],
  ['0.125', 0.125],
])('the typed text «%s» is the number %s', (typed, value) => {
  expect(parseNumber(typed)).toBe(value);
});

test.each([
  'doce',
  '12 uds',
  '5€50',
  '5 € 50',
  '12 50',
  '1 23',
  '1. 234',
  '€',
  '12 % €',
  '1,2,3',
  '1.2.3',
  '12.34,5',
  '1,234.50',
  '--1',
  '.',
  '-',
  '1e3',
  'Infinity',
])('the typed text «%s» is not a number', (typed) => {
  expect(parseNumber(typed)).toBeNaN();
});

test.each([
  ['', 0, ''],
  ['1.234', 0, '1234'],
  ['2,5', 0, '2,5'],
  ['12.5', 2, '12,50'],
  ['1,15', 2, '1,15'],
  ['1,155', 2, '1,155'],
  ['doce', 2, 'doce'],
] as const)('a number field left with «%s» and %i decimals shows «%s»', (typed, decimals, shown) => {
  expect(tidyNumber(typed, decimals)).toBe(shown);
});
