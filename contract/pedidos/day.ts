import { PROGRESO } from './estados.ts';
import type { FilterName } from './filters.fields.ts';
import { businessDay, type Clock, mayLeave, type SituationOrder } from './situation.ts';

/* The day of the business: every screen, notice and paper counts it by these four words (decision 149). */

/**
 * `toca`: promised for today or before, free to leave and not out yet. `calle`: left and not back. `hecho`: delivered today, by anybody.
 * `decidir`: waits for an answer.
 */
export const DIAS = ['toca', 'calle', 'hecho', 'decidir'] as const;
export type Dia = (typeof DIAS)[number];
export const DIA_LABEL: Record<Dia, string> = { toca: 'Toca hoy', calle: 'En la calle', hecho: 'Hecho hoy', decidir: 'Por decidir' };

/** Filter of the list that counts each. */
export const DIA_FILTER = {
  toca: { hoy: 'toca' },
  calle: { hoy: 'calle' },
  hecho: { hoy: 'hecho' },
  decidir: { incidencia: 'si' },
} as const satisfies Record<Dia, Partial<Record<FilterName, string>>>;

/** Where an order stands in the day of `clock`; undefined for an order of another day, or with a company, or collected by the customer. */
export function dayPlace(order: SituationOrder, clock: Clock): Dia | undefined {
  if (order.deleted_at) return undefined;
  if (order.incidencia_at) return 'decidir';
  const today = businessDay(clock.now, clock.zone);
  const { fecha_completado, fecha_estimada } = order;
  if (PROGRESO.entregado.includes(order.estado))
    return fecha_completado && businessDay(fecha_completado, clock.zone) === today ? 'hecho' : undefined;
  if (!mayLeave(order)) return undefined;
  if (PROGRESO.camino.includes(order.estado)) return 'calle';
  return fecha_estimada && businessDay(fecha_estimada, clock.zone) <= today ? 'toca' : undefined;
}
