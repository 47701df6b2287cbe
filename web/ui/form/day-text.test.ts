import { describe, expect, test } from 'vitest';
import { parseDay, wholeDay } from './day-text.ts';

describe('a typed day', () => {
  test.each([
    ['25/11/2026', '2026-11-25'],
    ['5/1/2027', '2027-01-05'],
    [' 05-01-2027 ', '2027-01-05'],
    ['2026-11-25', '2026-11-25'],
    ['29/02/2028', '2028-02-29'],
    ['25/11/26', undefined],
    ['25/11', undefined],
    ['29/02/2027', undefined],
    ['31/04/2026', undefined],
    ['mañana', undefined],
    ['', undefined],
  ])('the text «%s» is read while typing as the day %s', (typed, day) => expect(wholeDay(typed)).toBe(day));

  test.each([
    ['25/11', '2026-11-25'],
    ['25.11.26', '2026-11-25'],
    ['251126', '2026-11-25'],
    ['25112026', '2026-11-25'],
    ['25 11 2027', '2027-11-25'],
    ['32/11', undefined],
    ['25/13', undefined],
    ['25', undefined],
  ])('the finished text «%s» is read as the day %s', (typed, day) => expect(parseDay(typed, '2026-11-26')).toBe(day));
});
