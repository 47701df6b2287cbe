import { today } from '../ui/format/format.ts';

/** Options of the date filter (specification, section 2.12). */
export const PERIODS = [
  { value: 'todas', label: 'Todas las fechas' },
  { value: 'hoy', label: 'Hoy' },
  { value: 'semana', label: 'Esta semana' },
  { value: 'mes', label: 'Este mes' },
];
const DAYS: Record<string, number> = { hoy: 1, semana: 7, mes: 30 };

/** The last 1, 7 or 30 days in the business time zone, today included; empty for «todas». */
export function periodRange(choice: string, last = today()): { fecha_desde?: string; fecha_hasta?: string } {
  const days = Object.hasOwn(DAYS, choice) ? DAYS[choice] : undefined;
  if (!days) return {};
  const first = new Date(Date.parse(last) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  return { fecha_desde: first, fecha_hasta: last };
}
