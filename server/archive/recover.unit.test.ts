import { expect, test } from 'vitest';
import { commandTime, formatMadridTime, Incomplete, isDamage } from './recover.ts';

test.each([
  ['2026-11-28T12:00:00Z', '2026-11-28 13:00:00'],
  ['2026-11-28T12:00:00.250Z', '2026-11-28 13:00:00.250'],
  ['2026-11-28T12:00:00.001Z', '2026-11-28 13:00:00.001'],
  ['2026-07-01T12:00:00Z', '2026-07-01 14:00:00'],
  // Two o'clock to three exists twice.
  ['2026-10-25T00:00:00Z', '2026-10-25 02:00:00+02:00'],
  ['2026-10-25T00:59:59.999Z', '2026-10-25 02:59:59.999+02:00'],
  ['2026-10-25T01:00:00Z', '2026-10-25 02:00:00+01:00'],
  ['2026-10-25T01:59:59Z', '2026-10-25 02:59:59+01:00'],
  ['2026-10-24T23:59:59Z', '2026-10-25 01:59:59'],
  ['2026-10-25T02:00:00Z', '2026-10-25 03:00:00'],
  ['2026-03-29T01:00:00Z', '2026-03-29 03:00:00'],
])('%s is written for the command as %s', (at, text) => {
  expect(commandTime(Date.parse(at))).toBe(text);
});

test('a moment is shown in the time of Spain', () => {
  expect(formatMadridTime(Date.parse('2026-07-01T22:30:05Z'))).toBe('2/7/2026, 0:30:05');
});

test('a file that is missing or damaged is damage, a bucket that does not answer is none', () => {
  expect(isDamage(new Incomplete('x'))).toBe(true);
  expect(new Incomplete('x').exitCode).toBe(4);
  expect(isDamage(Object.assign(new Error('x'), { isDamage: true }))).toBe(true);
  expect(isDamage(new Error('x'))).toBe(false);
});
