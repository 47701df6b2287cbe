/** Two calendar days of the business, yyyy-MM-dd, both included. */
export type Range = { from: string; to: string };

// Out-of-range values carry over: month -1 is last year's December, day 0 the last day of the previous month.
const iso = (year: number, month: number, day: number) => new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
const months = (year: number, first: number, count: number): Range => ({ from: iso(year, first, 1), to: iso(year, first + count, 0) });

type Preset = { id: string; label: string; range: (year: number, month: number, day: number) => Range };

/** Order of the specification, section 2.10; the calendar stands for «Personalizado». */
export const PRESETS = [
  { id: 'anio-actual', label: 'Año actual', range: (y) => months(y, 0, 12) },
  { id: 'anio-anterior', label: 'Año anterior', range: (y) => months(y - 1, 0, 12) },
  {
    id: 'ultimos-12-meses',
    label: 'Últimos 12 meses',
    // On 29 February the range starts after 28 February of the year before.
    range: (y, m, d) => ({ from: iso(y - 1, m, Math.min(d, new Date(Date.UTC(y - 1, m + 1, 0)).getUTCDate()) + 1), to: iso(y, m, d) }),
  },
  { id: 'ultimos-7-dias', label: 'Últimos 7 días', range: (y, m, d) => ({ from: iso(y, m, d - 6), to: iso(y, m, d) }) },
  { id: 'mes-actual', label: 'Mes actual', range: (y, m) => months(y, m, 1) },
  { id: 'mes-anterior', label: 'Mes anterior', range: (y, m) => months(y, m - 1, 1) },
  { id: 'trimestre-1', label: '1 trimestre', range: (y) => months(y, 0, 3) },
  { id: 'trimestre-2', label: '2 trimestre', range: (y) => months(y, 3, 3) },
  { id: 'trimestre-3', label: '3 trimestre', range: (y) => months(y, 6, 3) },
  { id: 'trimestre-4', label: '4 trimestre', range: (y) => months(y, 9, 3) },
] as const satisfies readonly Preset[];
export type PresetId = (typeof PRESETS)[number]['id'];

/** Range of a preset; `today` is the business's day, yyyy-MM-dd. */
export function presetRange(id: PresetId, today: string): Range {
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number);
  const preset: Preset = PRESETS.find((p) => p.id === id) ?? PRESETS[0];
  return preset.range(year, month - 1, day);
}

const spanish = (day: string) => day.split('-').reverse().join('/');

/** Formats a range: «01/11/2026 — 20/11/2026», «desde» or «hasta» with one end, undefined with none. */
export function rangeLabel({ from, to }: { from?: string | undefined; to?: string | undefined }): string | undefined {
  if (from && to) return `${spanish(from)} — ${spanish(to)}`;
  if (from) return `Desde el ${spanish(from)}`;
  return to ? `Hasta el ${spanish(to)}` : undefined;
}
