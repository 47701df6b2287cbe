import { expect, it } from 'vitest';
import { matchesLabel } from './fields.ts';

it.each([
  ['ORD-2026001234', true],
  [' ord-2026001234 ', true],
  ["ORD'2026001234", true],
  [']Q1ORD-2026001234', true],
  ['1234', true],
  ['001234', true],
  ['234', false],
  ['ORD-2026', false],
  ['-2026001234', false],
  ['', false],
])('«%s» names ORD-2026001234: %s', (code, is) => {
  expect(matchesLabel('ORD-2026001234', code)).toBe(is);
});
