import { useEffect, useState } from 'react';
import { isWhole, listPedidos } from '../../../contract/pedidos/pedidos.ts';
import { fetchApi, useApi } from '../../api.ts';
import { useCountAll, useSearchState } from '../../ui/list/filters.tsx';
import type { useLook } from '../../ui/list/use-view.ts';
import type { Vistas } from '../../vistas/use-vistas.ts';
import { listProps } from './list-props.ts';
import { DEFAULT_FILTERS, inForce, pedidosQuery, type SetFilters } from './query.ts';

/** Loads the page of orders that the address describes. `look`: rows per page; `vistas`: saved views; `own`: other default filters. */
export function usePedidos(errorTitle: string, look?: ReturnType<typeof useLook>, vistas?: Vistas, own = DEFAULT_FILTERS) {
  // A saved view defines all filters, so `own` does not apply.
  const defaults = vistas?.chosen ? DEFAULT_FILTERS : own;
  const [{ vista: _, ...values }, setSearch] = useSearchState({ ...defaults, vista: '' });
  const setFilters: SetFilters = (patch, options) => setSearch({ ...patch, ...vistas?.stay }, options);
  const filters = inForce(values);
  const { contar, onCountAll } = useCountAll({ ...filters, page: 1, sort: '', dir: '' });
  const query = { ...pedidosQuery(filters), per_page: look?.perPage, contar } as const;
  const opening = vistas?.opening ?? false;
  // Rows requested before the view was known are never shown, not even as a placeholder.
  const [stands, setStands] = useState(false);
  const list = useApi(listPedidos, { query }, { keepPrevious: stands, enabled: !opening });
  const arrived = !opening && !!list.data;
  useEffect(() => setStands((before) => before || arrived), [arrived]);
  // Most lists open without a view, so the rows are requested in parallel with the views.
  // biome-ignore lint/correctness/useExhaustiveDependencies: requests the rows only on mount
  useEffect(() => {
    if (opening && vistas?.vistas.length === 0) fetchApi(listPedidos, { query });
  }, []);
  const dir: 'asc' | 'desc' = filters.dir === 'asc' ? 'asc' : 'desc';
  const { search, table } = listProps(list, filters.search, setFilters, errorTitle);
  const sort = { by: filters.sort, dir, onSort: (sort: string, dir: 'asc' | 'desc') => setFilters({ sort, dir }) };
  const onPerPage = (perPage: number) => {
    look?.setLook({ perPage });
    setFilters({ page: 1 });
  };
  const pages = { ...table.pages, onCountAll, ...(look && { onPerPage }) };
  return {
    filters,
    setFilters,
    search,
    table: { ...table, pages, rows: opening || vistas?.naming ? undefined : table.rows?.filter(isWhole), sort },
  };
}
