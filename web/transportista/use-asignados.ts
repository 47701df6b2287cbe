import { useEffect, useMemo } from 'react';
import { EN_MANOS, ESTADO, type Estado, FINALES } from '../../contract/pedidos/estados.ts';
import { listPedidos, type PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { mayLeave } from '../../contract/pedidos/situation.ts';
import { useApi } from '../api.ts';
import { useLostSince } from '../connection.ts';
import { useOperations } from '../pedidos/actions/use-operations.ts';
import { listProps } from '../pedidos/table/list-props.ts';
import { useSearchState } from '../ui/list/filters.tsx';
import { optimisticRows } from './optimistic.ts';
import { asignadosQuery } from './order-filters.tsx';
import { ownPage, storeOwn } from './own-orders.ts';

const REFRESH = 30_000;
export const DEFAULTS = { search: '', estado: 'en_curso', ciudad: '', orden: '', page: 1 };
// Estados of orders that a carrier has or had.
const OWN: readonly Estado[] = [...EN_MANOS, ...FINALES];
export const ASIGNADOS_OPTIONS = [
  { value: DEFAULTS.estado, label: 'En curso' },
  ...OWN.map((value) => ({ value, label: ESTADO[value].label })),
];

// Sorts orders that do not leave last, because the carrier must not load them.
const lastIfWaiting = (first: PedidoTransportista, second: PedidoTransportista) => Number(mayLeave(second)) - Number(mayLeave(first));

/** A carrier's list with its filters, updated with unsent steps. Without coverage, reads the orders cached on the phone. */
export function useAsignados() {
  const [filters, setFilters] = useSearchState(DEFAULTS);
  const wanted = OWN.filter((estado) => estado === filters.estado);
  const finished = wanted.some((estado) => FINALES.includes(estado));
  const { search: words, page } = filters;
  const asked = { search: words, page, estado: (wanted.length ? wanted : EN_MANOS).join(','), ...asignadosQuery(filters) };
  const query = {
    ...asked,
    // Loads the lines too, so that a phone without coverage can show them.
    con: 'lineas',
    ...(finished ? ({ sort: filters.estado === 'completado' ? 'fecha_completado' : 'fecha_pedido' } as const) : ({ dir: 'asc' } as const)),
  } as const;
  const list = useApi(listPedidos, { query }, { keepPrevious: true, refetchInterval: REFRESH });
  const lost = useLostSince() !== undefined;
  const isHere = list.data !== undefined && !list.isPlaceholderData;
  // Without coverage the phone answers every page: pages of two times would lack orders, or repeat them.
  const own = lost && !finished ? ownPage(asked) : undefined;
  useEffect(() => {
    if (isHere && !lost && !finished) void storeOwn(list.data).catch(() => undefined);
  }, [isHere, lost, finished, list.data]);

  const shown = own ? { ...list, data: own, error: null, isPlaceholderData: false } : list;
  const { search, table } = listProps(shown, filters.search, setFilters, 'Error al cargar los pedidos');
  const { operations, isRead } = useOperations();
  const rows = useMemo(() => {
    // Narrows the type: a carrier's own orders include contact details.
    const mine = table.rows?.filter((p): p is PedidoTransportista => 'cliente_telefono' in p);
    return isRead && mine ? optimisticRows(finished ? mine : [...mine].sort(lastIfWaiting), operations) : undefined;
  }, [table.rows, operations, isRead, finished]);
  const filtered = filters.search !== '' || filters.estado !== DEFAULTS.estado || filters.ciudad !== '';
  return { filters, setFilters, filtered, finished, search, table, rows, operations };
}
