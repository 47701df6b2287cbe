import { CON_INGRESO, EN_MANOS, ESTADO, estadosListed } from '../../../contract/pedidos/estados.ts';
import { soundDay, useSearchState } from '../../ui/list/filters.tsx';

/** Estados counted by the cards «Asignados» and «Ventas», so that their links list the same orders. */
export const ASIGNADOS = EN_MANOS.join(',');
export const SALES = CON_INGRESO.join(',');

/** Options of the estado filter. A value can contain several estados, separated by commas. */
export const ESTADO_OPTIONS = [
  { value: '', label: 'Todos los estados' },
  ...estadosListed('ventas').map((value) => ({ value: value as string, label: ESTADO[value].label })),
  { value: ASIGNADOS, label: 'Con transportista' },
  { value: SALES, label: 'Ventas (pagados)' },
];

/** Date range in the address. */
export function useFechas() {
  const [raw, set] = useSearchState({ fecha_desde: '', fecha_hasta: '' });
  return [{ fecha_desde: soundDay(raw.fecha_desde), fecha_hasta: soundDay(raw.fecha_hasta) }, set] as const;
}
