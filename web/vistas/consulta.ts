import { type ClaveVista, LISTAS, type Lista, type PERIODOS } from '../../contract/vistas.fields.ts';
import type { Consulta } from '../../contract/vistas.ts';
import { PRESETS, type PresetId, presetRange } from '../ui/form/date-range.presets.ts';

/* What a view keeps of a list's address, and the address that it becomes again. */

type Filters = Partial<Record<ClaveVista, unknown>>;
type Periodo = (typeof PERIODOS)[number];

// Both ways: a period of the server that the date picker lacks, or one too many here, does not compile.
const known = (periodo: Periodo): PresetId => periodo satisfies PresetId;
const presetOf = (periodo: string | undefined) => PRESETS.find(({ id }) => id === periodo);

/** The filters and the sort of `filters` that differ from the list's `defaults`. */
export function consultaOf(lista: Lista, filters: Filters, defaults: Filters): Consulta {
  const set = LISTAS[lista].claves.filter((name) => filters[name] && filters[name] !== defaults[name]);
  return Object.fromEntries(set.map((name) => [name, String(filters[name])]));
}

/** The same with days instead of a period that moves with the calendar. */
export function withDays({ periodo, ...consulta }: Consulta, today: string): Consulta {
  const preset = presetOf(periodo);
  if (!preset) return consulta;
  const { from, to } = presetRange(preset.id, today);
  return { ...consulta, fecha_desde: from, fecha_hasta: to };
}

/** The period that the days of `consulta` are today, if they are any: `wanted` where several are. */
export function periodoOf({ fecha_desde, fecha_hasta }: Consulta, today: string, wanted?: string) {
  const fitting = PRESETS.filter(({ id }) => {
    const { from, to } = presetRange(id, today);
    return from === fecha_desde && to === fecha_hasta;
  });
  return wanted ? fitting.find(({ id }) => id === wanted) : fitting[0];
}

/** The same with a period instead of its days. */
export function withPeriodo({ fecha_desde: _, fecha_hasta: __, ...consulta }: Consulta, periodo: Periodo): Consulta {
  return { ...consulta, periodo: known(periodo) };
}

/** Whether two views show the same. */
export const isSame = (a: Consulta, b: Consulta): boolean => Object.keys({ ...a, ...b }).every((name) => a[name] === b[name]);
