import type { Answer } from '../../../contract/kit/endpoint.ts';
import type { serieStats } from '../../../contract/stats/stats.ts';
import { fecha } from '../../ui/format/format.ts';

export type Serie = Answer<typeof serieStats>;
/** Orders and income (euros) of the days `from` to `to`, both included. */
export type Bucket = { from: string; to: string; label: string; pedidos: number; ingresos: number };

const DAYS_BY_DAY = 62;
const DAYS_BY_WEEK = 186;
const UNIT_WORD = { day: 'día', week: 'semana', month: 'mes' } as const;
type Unit = keyof typeof UNIT_WORD;

const short = new Intl.DateTimeFormat('es-ES', { timeZone: 'UTC', day: 'numeric', month: 'short' });
const monthly = new Intl.DateTimeFormat('es-ES', { timeZone: 'UTC', month: 'short', year: 'numeric' });

/** Key of a day's bucket: the day, the Monday of its week, or its month. */
function bucketKey(dia: string, unit: Unit): string {
  if (unit === 'day') return dia;
  if (unit === 'month') return dia.slice(0, 7);
  const date = new Date(dia);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

/** Groups days to fit the chart: by day, by week from Monday, or by month. */
export function groupDays(points: readonly Serie['data'][number][]): { by: string; buckets: Bucket[] } {
  const unit: Unit = points.length <= DAYS_BY_DAY ? 'day' : points.length <= DAYS_BY_WEEK ? 'week' : 'month';
  const buckets = new Map<string, Bucket>();
  for (const { dia, pedidos, ingresos } of points) {
    const key = bucketKey(dia, unit);
    const label = (unit === 'month' ? monthly : short).format(new Date(dia));
    const before = buckets.get(key) ?? { from: dia, to: dia, label, pedidos: 0, ingresos: 0 };
    const cents = Math.round(before.ingresos * 100) + Math.round(ingresos * 100);
    buckets.set(key, { ...before, to: dia, pedidos: before.pedidos + pedidos, ingresos: cents / 100 });
  }
  return { by: UNIT_WORD[unit], buckets: [...buckets.values()] };
}

/** Buckets of the period before, over the dates of the period that they are compared with. */
export const groupBefore = ({ data, anterior }: Pick<Serie, 'data' | 'anterior'>): Bucket[] =>
  groupDays(data.map(({ dia }, i) => ({ pedidos: 0, ingresos: 0, ...anterior.dias[i], dia }))).buckets;

/** Lowest of 1, 2, 5, 10, 20 … that is not below `most`, for the top of an axis. */
export function roundTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return power * ([1, 2, 5].find((step) => step * power >= most) ?? 10);
}

export const bucketDays = ({ from, to }: Bucket): string => (from === to ? fecha(from) : `${fecha(from)} — ${fecha(to)}`);

const month = new Intl.DateTimeFormat('es-ES', { timeZone: 'UTC', month: 'long', year: 'numeric' });
export const bucketMonth = ({ from }: Bucket): string => month.format(new Date(from));

const PERCENT = new Intl.NumberFormat('es-ES', { maximumFractionDigits: 0, useGrouping: 'always' });

/** Compares a figure with the period before: «▲ 25 % más que los 20 días anteriores». */
export function comparisonText(now: number, before: number, days: number): string {
  const period = days === 1 ? 'el día anterior' : `los ${days} días anteriores`;
  if (before === 0) return `Nada en ${period}`;
  if (now === before) return `Igual que ${period}`;
  const percent = PERCENT.format(Math.abs(now / before - 1) * 100);
  return now > before ? `▲ ${percent} % más que ${period}` : `▼ ${percent} % menos que ${period}`;
}
