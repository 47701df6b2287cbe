import { expect, test } from 'vitest';
import { ibanInFours, isIban } from './iban.ts';

/** An IBAN with the check digits that its country and account give (ISO 13616). */
function withCheck(country: string, account: string): string {
  const figures = `${account}${country}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return `${country}${String(98n - (BigInt(figures) % 97n)).padStart(2, '0')}${account}`;
}

test.each([
  ['ES9121000418450200051332', true],
  ['es91 2100 0418 4502 0005 1332', true],
  ['ES9121000418450200051333', false],
  ['ES9221000418450200051332', false],
  ['E19121000418450200051332', false],
  ['NO9386011117947', true],
  ['MT84MALT011000012345MTLCAST001S', true],
  ['', false],
])('%s is an IBAN: %s', (text, expected) => expect(isIban(text)).toBe(expected));

test('an account has ten to thirty letters and figures', () => {
  const valid = (length: number) => isIban(withCheck('XX', 'A1'.repeat(20).slice(0, length)));
  expect([9, 10, 30, 31].map(valid)).toEqual([false, true, true, false]);
});

test('an IBAN is shown in groups of four, without a space at its end', () => {
  expect([ibanInFours('ES91 21'), ibanInFours('NO938601111794')]).toEqual(['ES91 21', 'NO93 8601 1117 94']);
});
