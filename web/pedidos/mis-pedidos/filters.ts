import { CON_INGRESO, EN_MANOS, ESTADO, type Estado } from '../../../contract/pedidos/estados.ts';
import { soundDay, useSearchState } from '../../ui/list/search-state.ts';

// In the order of the specification (section 2.15), then the two estados that it omits.
const IN_ORDER: Estado[] = ['pendiente_pago', 'pendiente', 'asignado', 'completado', 'cancelado', 'en_proceso', 'en_ruta'];

/** Estados counted by the cards «Asignados» and «Ventas», so that their links list the same orders. */
export const ASIGNADOS = EN_MANOS.join(',');
export const SALES = CON_INGRESO.join(',');

/** Options of the estado filter. A value can contain several estados, separated by commas. */
export const ESTADO_OPTIONS = [
  { value: '', label: 'Todos los estados' },
  ...IN_ORDER.map((value) => ({ value: value as string, label: ESTADO[value].label })),
  { value: ASIGNADOS, label: 'Con transportista' },
  { value: SALES, label: 'Ventas (pagados)' },
];

/** Date range in the address. */
export function useFechas() {
  const [raw, set] = useSearchState({ fecha_desde: '', fecha_hasta: '' });
  return [{ fecha_desde: soundDay(raw.fecha_desde), fecha_hasta: soundDay(raw.fecha_hasta) }, set] as const;
}
