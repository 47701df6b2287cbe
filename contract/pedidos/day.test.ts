import { expect, test } from 'vitest';
import { AT, CLOCK, orderWith } from '../../test/situations.ts';
import { type Dia, dayPlace } from './day.ts';
import type { SituationOrder } from './situation.ts';

// It is the 27th of November, ten o'clock in Madrid; a day ends there at eleven of UTC.
const LAST = '2026-11-27T22:59:59Z';
const TOMORROW = '2026-11-27T23:00:00Z';
const YESTERDAY = '2026-11-26T22:59:59Z';
test.each<[string, Partial<SituationOrder>, Dia | undefined]>([
  ['promised for today', { fecha_estimada: LAST }, 'toca'],
  ['promised for tomorrow', { fecha_estimada: TOMORROW }, undefined],
  ['promised for yesterday', { fecha_estimada: YESTERDAY }, 'toca'],
  ['not promised', { fecha_estimada: null }, undefined],
  ['assigned for today', { estado: 'asignado', fecha_estimada: LAST }, 'toca'],
  ['out, for another day', { estado: 'en_ruta', fecha_estimada: TOMORROW }, 'calle'],
  ['delivered today', { estado: 'completado', fecha_completado: LAST }, 'hecho'],
  ['delivered yesterday', { estado: 'completado', fecha_completado: YESTERDAY }, undefined],
  ['delivered without a date', { estado: 'completado', fecha_completado: null }, undefined],
  ['delivered today, with money to give back', { estado: 'completado', fecha_completado: LAST, por_reembolsar: 5 }, 'hecho'],
  ['cancelled', { estado: 'cancelado', fecha_estimada: LAST }, undefined],
  ['unpaid', { estado: 'pendiente_pago', fecha_estimada: LAST }, undefined],
  ['with a company', { en_empresa: 'Correos', en_empresa_at: AT, fecha_estimada: LAST }, undefined],
  ['waiting for an answer', { estado: 'asignado', incidencia_at: AT, fecha_estimada: TOMORROW }, 'decidir'],
  ['waiting for an answer, and deleted', { incidencia_at: AT, deleted_at: AT }, undefined],
  ['deleted', { fecha_estimada: LAST, deleted_at: AT }, undefined],
])('an order %s', (_, fields, place) => expect(dayPlace(orderWith(fields), CLOCK)).toBe(place));
