import { expect, test } from 'vitest';
import { durationText } from './format.ts';

test.each([
  [-2, 'Menos de 1 min'],
  [0, 'Menos de 1 min'],
  [0.1, '6 min'],
  [0.9, '54 min'],
  [1, '1 h'],
  [5.5, '5 h 30 min'],
  [23.9, '23 h 54 min'],
  [24, '1 día'],
  [47.6, '2 días'],
  [51.2, '2 días y 3 h'],
  [1000, '41 días y 16 h'],
])('a delivery time of %d hours reads «%s»', (hours, text) => {
  expect(durationText(hours)).toBe(text);
});
