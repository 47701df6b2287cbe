import { today } from '../../ui/format/format.ts';
import { DEFAULT_FILTERS, type FilterValues } from '../table/query.ts';

/** Value of `estado` in the address for all estados; without the parameter, the list shows open deliveries. */
export const ALL = 'todos';

/** Orders to deliver, the earliest promised day first. */
export const TO_DELIVER: FilterValues = {
  ...DEFAULT_FILTERS,
  estado: 'pendiente,asignado,en_proceso,en_ruta',
  sort: 'fecha_estimada',
  dir: 'asc',
};

type Chip = { label: string; patch: Partial<FilterValues> };
const { estado, sort, dir } = TO_DELIVER;
/** Filters that a chip replaces. */
export const NO_CHIP = { para_hoy: '', atrasado: '', en_empresa: '', incidencia: '', completado_desde: '', estado, sort, dir };

/** Chips of the list. Computed on each call, because «Entregadas hoy» depends on the day. */
export const chips = (): Chip[] => [
  { label: 'Hoy', patch: { para_hoy: 'si' } },
  { label: 'Atrasadas', patch: { atrasado: 'si' } },
  { label: 'Con empresa', patch: { en_empresa: 'si' } },
  { label: 'Esperan respuesta', patch: { incidencia: 'si' } },
  { label: 'Entregadas hoy', patch: { estado: 'completado', completado_desde: today(), sort: 'fecha_completado', dir: 'desc' } },
];

/** True if the filters that chips set are exactly those of the chip, whatever the sorting. */
export const isPressed = (filters: FilterValues, { patch }: Chip): boolean =>
  (Object.keys(NO_CHIP) as (keyof typeof NO_CHIP)[])
    .filter((name) => name !== 'sort' && name !== 'dir')
    .every((name) => filters[name] === (patch[name] ?? NO_CHIP[name]));

/** True if any filter differs from `TO_DELIVER`; ignores sorting and page. */
export const isNarrowed = (filters: FilterValues): boolean =>
  (Object.keys(TO_DELIVER) as (keyof FilterValues)[]).some(
    (name) => !['sort', 'dir', 'page'].includes(name) && filters[name] !== TO_DELIVER[name],
  );
