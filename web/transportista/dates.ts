import { today } from '../ui/format/format.ts';

/** Options of the date filter (specification, section 2.12). */
export const PERIODS = [
  { value: 'todas', label: 'Todas las fechas', days: 0 },
  { value: 'hoy', label: 'Hoy', days: 1 },
  { value: 'semana', label: 'Esta semana', days: 7 },
  { value: 'mes', label: 'Este mes', days: 30 },
];

/** Returns the last 1, 7 or 30 days in the business time zone, today included; empty for «todas». */
export function periodRange(choice: string, last = today()): { fecha_desde?: string; fecha_hasta?: string } {
  const days = PERIODS.find(({ value }) => value === choice)?.days;
  if (!days) return {};
  const first = new Date(Date.parse(last) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  return { fecha_desde: first, fecha_hasta: last };
}
