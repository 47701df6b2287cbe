import { MAX_DIAS_SERIE } from '../../../contract/stats/fields.ts';
import { presetRange } from '../../ui/form/date-range.presets.ts';
import { today } from '../../ui/format/format.ts';
import { soundDay, useSearchState } from '../../ui/list/filters.tsx';

/** Business days, yyyy-MM-dd, both included; named as the query parameters of the orders list. */
export type Dates = { fecha_desde: string; fecha_hasta: string };

const DEFAULTS = { fecha_desde: '', fecha_hasta: '' };

/** Returns the dates of the dashboard, which are in the address, and a setter. Missing or invalid dates mean the current month. */
export function useDates() {
  const [raw, set] = useSearchState(DEFAULTS);
  const fecha_desde = soundDay(raw.fecha_desde);
  const fecha_hasta = soundDay(raw.fecha_hasta);
  const isRange = fecha_desde && fecha_hasta && fecha_desde <= fecha_hasta;
  const month = presetRange('mes-actual', today());
  const dates: Dates = isRange ? { fecha_desde, fecha_hasta } : { fecha_desde: month.from, fecha_hasta: month.to };
  return [dates, (from = '', to = '') => set({ fecha_desde: from, fecha_hasta: to })] as const;
}

/** Cuts a running period at today: half a month is compared with as many days before, not with a whole month. */
export function untilToday({ fecha_desde, fecha_hasta }: Dates, now = today()): { from: string; to: string } {
  const to = fecha_hasta > now && fecha_desde <= now ? now : fecha_hasta;
  return { from: fecha_desde, to };
}

/** True if the range is short enough for a daily series from the server. */
export const isDrawable = ({ from, to }: { from: string; to: string }): boolean =>
  (Date.parse(to) - Date.parse(from)) / 86_400_000 < MAX_DIAS_SERIE;
