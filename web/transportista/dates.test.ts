import { expect, it } from 'vitest';
import { periodRange } from './dates.ts';

it('the last 7 and 30 days include today, also across a clock change', () => {
  expect(periodRange('hoy', '2026-03-31')).toEqual({ fecha_desde: '2026-03-31', fecha_hasta: '2026-03-31' });
  expect(periodRange('semana', '2026-03-31')).toEqual({ fecha_desde: '2026-03-25', fecha_hasta: '2026-03-31' });
  expect(periodRange('mes', '2026-03-31')).toEqual({ fecha_desde: '2026-03-02', fecha_hasta: '2026-03-31' });
});

it('«todas» and unknown choices set no range', () => {
  expect(periodRange('todas')).toEqual({});
  expect(periodRange('constructor')).toEqual({});
});
