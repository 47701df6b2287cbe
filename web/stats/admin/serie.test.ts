import { expect, test } from 'vitest';
import { isDrawable, untilToday } from './dates.ts';
import { bucketDays, bucketMonth, comparisonText, groupBefore, groupDays, roundTop } from './serie.ts';

/** Returns `count` days from `first`, each with an order of 0,10 €. */
const days = (first: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    dia: new Date(Date.parse(first) + i * 86_400_000).toISOString().slice(0, 10),
    pedidos: 1,
    ingresos: 0.1,
  }));

test('a range of up to 62 days is grouped by day', () => {
  const { by, buckets } = groupDays(days('2026-01-01', 62));
  expect([by, buckets.length]).toEqual(['día', 62]);
  expect(buckets[0]).toEqual({ from: '2026-01-01', to: '2026-01-01', label: '1 ene', pedidos: 1, ingresos: 0.1 });
});

test('a range of more than 62 days is grouped by week from Monday to Sunday', () => {
  // 1 January 2026 is a Thursday.
  const { by, buckets } = groupDays(days('2026-01-01', 63));
  expect([by, buckets.length]).toEqual(['semana', 10]);
  expect(buckets[0]).toMatchObject({ from: '2026-01-01', to: '2026-01-04', pedidos: 4, ingresos: 0.4 });
  expect(buckets[1]).toMatchObject({ from: '2026-01-05', to: '2026-01-11', pedidos: 7, ingresos: 0.7 });
  expect(buckets.at(-1)).toMatchObject({ from: '2026-03-02', to: '2026-03-04', pedidos: 3 });
});

test('a range of more than half a year is grouped by month', () => {
  const { by, buckets } = groupDays(days('2026-01-01', 365));
  expect([by, buckets.length]).toEqual(['mes', 12]);
  expect(buckets[1]).toEqual({ from: '2026-02-01', to: '2026-02-28', label: 'feb 2026', pedidos: 28, ingresos: 2.8 });
});

test('grouping days loses no order', () => {
  for (const count of [1, 62, 63, 186, 187, 732]) {
    expect(groupDays(days('2024-02-20', count)).buckets.reduce((sum, { pedidos }) => sum + pedidos, 0)).toBe(count);
  }
});

test('the days before are grouped as the days that they are compared with', () => {
  const anterior = { desde: '2025-10-30', hasta: '2025-12-31', totalPedidos: 63, ingresos: 6.3, dias: days('2025-10-30', 63) };
  const before = groupBefore({ data: days('2026-01-01', 63), anterior });
  expect(before.map(({ from, pedidos }) => [from, pedidos]).slice(0, 2)).toEqual([
    ['2026-01-01', 4],
    ['2026-01-05', 7],
  ]);
});

test.each([
  [0, 1],
  [1, 1],
  [3, 5],
  [7, 10],
  [1201.5, 2000],
])('the axis of values up to %d ends at %d', (most, top) => expect(roundTop(most)).toBe(top));

test('a group of days is named by its days or its month', () => {
  const [bucket] = groupDays(days('2026-11-12', 1)).buckets;
  expect(bucket && bucketDays(bucket)).toBe('12/11/2026');
  expect(bucket && bucketDays({ ...bucket, to: '2026-11-15' })).toBe('12/11/2026 — 15/11/2026');
  expect(bucket && bucketMonth(bucket)).toBe('noviembre de 2026');
});

test.each([
  [125, 100, 20, '▲ 25 % más que los 20 días anteriores'],
  [75, 100, 20, '▼ 25 % menos que los 20 días anteriores'],
  [0, 8, 1, '▼ 100 % menos que el día anterior'],
  [30, 2, 7, '▲ 1.400 % más que los 7 días anteriores'],
  [5, 5, 7, 'Igual que los 7 días anteriores'],
  [0, 0, 7, 'Nada en los 7 días anteriores'],
  [5, 0, 7, 'Nada en los 7 días anteriores'],
])('a figure of %i after %i in %i days reads «%s»', (now, before, count, text) => {
  expect(comparisonText(now, before, count)).toBe(text);
});

test('a running period is drawn up to today, and a past or future period as a whole', () => {
  const dates = { fecha_desde: '2026-11-01', fecha_hasta: '2026-11-30' };
  expect(untilToday(dates, '2026-11-20')).toEqual({ from: '2026-11-01', to: '2026-11-20' });
  expect(untilToday(dates, '2026-12-05')).toEqual({ from: '2026-11-01', to: '2026-11-30' });
  expect(untilToday(dates, '2026-10-31')).toEqual({ from: '2026-11-01', to: '2026-11-30' });
});

test('any two years can be drawn, but not one day more', () => {
  expect(isDrawable({ from: '2024-01-01', to: '2025-12-31' })).toBe(true);
  expect(isDrawable({ from: '2024-01-01', to: '2026-01-01' })).toBe(true);
  expect(isDrawable({ from: '2024-01-01', to: '2026-01-02' })).toBe(false);
});
