import { SORTS } from '../../../contract/pedidos.filters.ts';
import { CON_INGRESO, EN_MANOS, ESTADO, type Estado } from '../../../contract/pedidos.flow.ts';
import { soundDay, useSearchState } from '../../ui/list/search-state.ts';

// The specification's first and in its order (section 2.15), then the other two.
const IN_ORDER: Estado[] = ['pendiente_pago', 'pendiente', 'asignado', 'completado', 'cancelado', 'en_proceso', 'en_ruta'];

/** What the cards «Asignados» and «Ventas» count, so that opening them lists the same orders. */
export const ASIGNADOS = EN_MANOS.join(',');
export const SALES = CON_INGRESO.join(',');

/** Choices of the estado filter; a value is what the list takes, several estados separated by commas. */
export const ESTADO_OPTIONS = [
  { value: '', label: 'Todos los estados' },
  ...IN_ORDER.map((value) => ({ value: value as string, label: ESTADO[value].label })),
  { value: ASIGNADOS, label: 'Con transportista' },
  { value: SALES, label: 'Ventas (pagados)' },
];

const DEFAULTS = { search: '', estado: '', fecha_desde: '', fecha_hasta: '', sort: 'fecha_pedido', dir: 'desc', page: 1 };

/** The dates of the reseller's screens, kept in the address. */
export function useFechas() {
  const [raw, set] = useSearchState({ fecha_desde: '', fecha_hasta: '' });
  return [{ fecha_desde: soundDay(raw.fecha_desde), fecha_hasta: soundDay(raw.fecha_hasta) }, set] as const;
}

/** The list's filters, kept in the address. */
export function useFilters() {
  const [raw, set] = useSearchState(DEFAULTS);
  const filters = {
    ...raw,
    search: raw.search.slice(0, 100),
    estado: ESTADO_OPTIONS.some(({ value }) => value === raw.estado) ? raw.estado : '',
    fecha_desde: soundDay(raw.fecha_desde),
    fecha_hasta: soundDay(raw.fecha_hasta),
    sort: SORTS.find((sort) => sort === raw.sort) ?? 'fecha_pedido',
    dir: raw.dir === 'asc' ? ('asc' as const) : ('desc' as const),
  };
  const active = !!(filters.search || filters.estado || filters.fecha_desde || filters.fecha_hasta);
  const clear = () => set({ search: '', estado: '', fecha_desde: '', fecha_hasta: '' });
  return { filters, set, active, clear };
}
