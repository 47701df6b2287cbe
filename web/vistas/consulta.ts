import { type ClaveVista, LISTAS, type Lista, type PERIODOS_VISTA } from '../../contract/vistas/fields.ts';
import type { Consulta } from '../../contract/vistas/vistas.ts';
import { PRESETS, type PresetId, presetRange } from '../ui/form/date-range.presets.ts';

/* Converts the filters in the address to a saved view, and back. */

export type VistaFilters = Partial<Record<ClaveVista, unknown>>;
type Periodo = (typeof PERIODOS_VISTA)[number];

// Checked by the compiler: the server's periods and the date picker's presets must match.
const known = (periodo: Periodo): PresetId => periodo satisfies PresetId;
const presetOf = (periodo: string | undefined) => PRESETS.find(({ id }) => id === periodo);

/** Returns the filters and sort that differ from the list's `defaults`. */
export function changedConsulta(lista: Lista, filters: VistaFilters, defaults: VistaFilters): Consulta {
  const set = LISTAS[lista].claves.filter((name) => filters[name] && filters[name] !== defaults[name]);
  return Object.fromEntries(set.map((name) => [name, String(filters[name])]));
}

/** Replaces a moving period by its days as of `today`. */
export function withDays({ periodo, ...consulta }: Consulta, today: string): Consulta {
  const preset = presetOf(periodo);
  if (!preset) return consulta;
  const { from, to } = presetRange(preset.id, today);
  return { ...consulta, fecha_desde: from, fecha_hasta: to };
}

/** Returns the period whose days as of `today` are those of `consulta`; with `wanted`, only that period. */
export function findPeriodo({ fecha_desde, fecha_hasta }: Consulta, today: string, wanted?: string) {
  const fitting = PRESETS.filter(({ id }) => {
    const { from, to } = presetRange(id, today);
    return from === fecha_desde && to === fecha_hasta;
  });
  return wanted ? fitting.find(({ id }) => id === wanted) : fitting[0];
}

/** Replaces the days by a moving period. */
export const withPeriodo = ({ fecha_desde: _, fecha_hasta: __, ...consulta }: Consulta, periodo: Periodo): Consulta => ({
  ...consulta,
  periodo: known(periodo),
});

export const isSameConsulta = (a: Consulta, b: Consulta): boolean => Object.keys({ ...a, ...b }).every((name) => a[name] === b[name]);
