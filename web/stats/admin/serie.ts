import type { Answer } from '../../../contract/kit.ts';
import type { serieStats } from '../../../contract/stats.ts';
import { fecha } from '../../ui/format/format.ts';

export type Serie = Answer<typeof serieStats>;
type Punto = Serie['data'][number];
/** Orders and income in euros from `desde` to `hasta`, both included. */
export type Tramo = { desde: string; hasta: string; etiqueta: string; pedidos: number; ingresos: number };

const DAYS_BY_DAY = 62;
const DAYS_BY_WEEK = 186;
const POR = { dia: 'día', semana: 'semana', mes: 'mes' } as const;
type Unidad = keyof typeof POR;

const short = new Intl.DateTimeFormat('es-ES', { timeZone: 'UTC', day: 'numeric', month: 'short' });
const monthly = new Intl.DateTimeFormat('es-ES', { timeZone: 'UTC', month: 'short', year: 'numeric' });

/** The Monday of a day's week, or the first of its month: what the days of one stretch have in common. */
function clave(dia: string, unidad: Unidad): string {
  if (unidad === 'dia') return dia;
  if (unidad === 'mes') return dia.slice(0, 7);
  const date = new Date(dia);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

/** The days as the chart draws them: each by itself, by weeks from Monday, or by months, so that they fit. */
export function agrupar(dias: readonly Punto[]): { por: string; tramos: Tramo[] } {
  const unidad: Unidad = dias.length <= DAYS_BY_DAY ? 'dia' : dias.length <= DAYS_BY_WEEK ? 'semana' : 'mes';
  const tramos = new Map<string, Tramo>();
  for (const { dia, pedidos, ingresos } of dias) {
    const key = clave(dia, unidad);
    const label = (unidad === 'mes' ? monthly : short).format(new Date(dia));
    const before = tramos.get(key) ?? { desde: dia, hasta: dia, etiqueta: label, pedidos: 0, ingresos: 0 };
    const cents = Math.round(before.ingresos * 100) + Math.round(ingresos * 100);
    tramos.set(key, { ...before, hasta: dia, pedidos: before.pedidos + pedidos, ingresos: cents / 100 });
  }
  return { por: POR[unidad], tramos: [...tramos.values()] };
}

/** «12/11/2026», or «09/11/2026 — 15/11/2026». */
export const dias = ({ desde, hasta }: Tramo): string => (desde === hasta ? fecha(desde) : `${fecha(desde)} — ${fecha(hasta)}`);

const month = new Intl.DateTimeFormat('es-ES', { timeZone: 'UTC', month: 'long', year: 'numeric' });
/** «noviembre de 2026» */
export const mes = ({ desde }: Tramo): string => month.format(new Date(desde));

const PORCENTAJE = new Intl.NumberFormat('es-ES', { maximumFractionDigits: 0, useGrouping: 'always' });

/** How a figure compares with that of the days before, in words: «▲ 25 % más que los 20 días anteriores». */
export function comparacion(now: number, before: number, days: number): string {
  const period = days === 1 ? 'el día anterior' : `los ${days} días anteriores`;
  if (now === before) return `Igual que ${period}`;
  if (before === 0) return `Nada en ${period}`;
  const percent = PORCENTAJE.format(Math.abs(now / before - 1) * 100);
  return now > before ? `▲ ${percent} % más que ${period}` : `▼ ${percent} % menos que ${period}`;
}
