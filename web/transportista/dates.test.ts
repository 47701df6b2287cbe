import { expect, it } from 'vitest';
import { periodRange } from './dates.ts';

it('counts today among the last 7 and 30 days, over the change of the hour too', () => {
  expect(periodRange('hoy', '2026-03-31')).toEqual({ fecha_desde: '2026-03-31', fecha_hasta: '2026-03-31' });
  expect(periodRange('semana', '2026-03-31')).toEqual({ fecha_desde: '2026-03-25', fecha_hasta: '2026-03-31' });
  expect(periodRange('mes', '2026-03-31')).toEqual({ fecha_desde: '2026-03-02', fecha_hasta: '2026-03-31' });
});

it('sets no limit for all dates, nor for a choice it does not know', () => {
  expect(periodRange('todas')).toEqual({});
  expect(periodRange('constructor')).toEqual({});
});
