import { describe, expect, test } from 'vitest';
import { PRESETS, type PresetId, presetRange, rangeLabel } from './date-range.presets.ts';

const days = (id: PresetId, today: string) => {
  const { from, to } = presetRange(id, today);
  return `${from} ${to}`;
};

test('the date presets and their order match the specification', () => {
  expect(PRESETS.map((p) => p.label)).toEqual([
    'Año actual',
    'Año anterior',
    'Últimos 12 meses',
    'Últimos 7 días',
    'Mes actual',
    'Mes anterior',
    '1 trimestre',
    '2 trimestre',
    '3 trimestre',
    '4 trimestre',
  ]);
});

describe('the days of each preset', () => {
  test.each<[PresetId, string, string]>([
    ['anio-actual', '2026-11-20', '2026-01-01 2026-12-31'],
    ['anio-anterior', '2026-11-20', '2025-01-01 2025-12-31'],
    ['ultimos-12-meses', '2026-11-20', '2025-11-21 2026-11-20'],
    ['ultimos-12-meses', '2026-12-31', '2026-01-01 2026-12-31'],
    ['ultimos-12-meses', '2028-02-29', '2027-03-01 2028-02-29'],
    ['ultimos-12-meses', '2029-02-28', '2028-02-29 2029-02-28'],
    // Today and the six days before, also across months, years and clock changes.
    ['ultimos-7-dias', '2026-11-20', '2026-11-14 2026-11-20'],
    ['ultimos-7-dias', '2027-01-03', '2026-12-28 2027-01-03'],
    ['ultimos-7-dias', '2026-03-29', '2026-03-23 2026-03-29'],
    ['ultimos-7-dias', '2026-10-26', '2026-10-20 2026-10-26'],
    ['mes-actual', '2026-11-20', '2026-11-01 2026-11-30'],
    ['mes-actual', '2028-02-01', '2028-02-01 2028-02-29'],
    ['mes-actual', '2026-12-31', '2026-12-01 2026-12-31'],
    ['mes-anterior', '2026-11-20', '2026-10-01 2026-10-31'],
    ['mes-anterior', '2027-01-15', '2026-12-01 2026-12-31'],
    ['mes-anterior', '2026-03-31', '2026-02-01 2026-02-28'],
    ['trimestre-1', '2026-11-20', '2026-01-01 2026-03-31'],
    ['trimestre-2', '2026-11-20', '2026-04-01 2026-06-30'],
    ['trimestre-3', '2026-11-20', '2026-07-01 2026-09-30'],
    ['trimestre-4', '2026-11-20', '2026-10-01 2026-12-31'],
  ])('the period %s chosen on %s covers the days %s', (id, today, expected) => {
    expect(days(id, today)).toBe(expected);
  });
});

test('a range of dates reads dd/MM/yyyy — dd/MM/yyyy', () => {
  expect(rangeLabel({ from: '2026-01-05', to: '2026-11-20' })).toBe('05/01/2026 — 20/11/2026');
});
