import { expect, test } from 'vitest';
import { nationalHolidays } from './promised.ts';

test('a year has ten national holidays', () => {
  expect(nationalHolidays(2026)).toEqual([
    '2026-01-01',
    '2026-01-06',
    '2026-04-03',
    '2026-05-01',
    '2026-08-15',
    '2026-10-12',
    '2026-11-01',
    '2026-12-06',
    '2026-12-08',
    '2026-12-25',
  ]);
});

test.each(['2000-04-21', '2008-03-21', '2011-04-22', '2027-03-26', '2038-04-23', '2049-04-16', '2076-04-17'])(
  'Good Friday is on %s',
  (day) => {
    expect(nationalHolidays(Number(day.slice(0, 4)))).toContain(day);
  },
);
