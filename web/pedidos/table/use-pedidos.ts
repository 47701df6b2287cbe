import { useEffect, useState } from 'react';
import { listPedidos } from '../../../contract/pedidos.ts';
import { fetchApi, useApi } from '../../api.ts';
import { useSearchState } from '../../ui/list/search-state.ts';
import { useCountAll } from '../../ui/list/use-count-all.ts';
import type { useLook } from '../../ui/list/use-view.ts';
import type { Vistas } from '../../vistas/use-vistas.ts';
import { isWhole } from '../whole.ts';
import { listProps } from './list-props.ts';
import { DEFAULT_FILTERS, inForce, queryOf, type SetFilters } from './query.ts';

/**
 * Loads a page of orders by the filters in the address; `search` and `table` are the props of its search box and DataTable.
 * `errorTitle` is shown when loading fails. With a `look`, the person chooses how many
 * a page has; with `vistas`, it may open with one of them.
 */
export function usePedidos(errorTitle: string, look?: ReturnType<typeof useLook>, vistas?: Vistas) {
  const [{ vista: _, ...given }, setSearch] = useSearchState({ ...DEFAULT_FILTERS, vista: '' });
  const setFilters: SetFilters = (patch, options) => setSearch({ ...patch, ...vistas?.stay }, options);
  const filters = inForce(given);
  const { contar, onCountAll } = useCountAll({ ...filters, page: 1, sort: '', dir: '' });
  const query = { ...queryOf(filters), per_page: look?.perPage, contar } as const;
  const opening = vistas?.opening ?? false;
  // What was asked for before the view was known is never on screen, not even until the view's own rows are there.
  const [stands, setStands] = useState(false);
  const list = useApi(listPedidos, { query }, { keepPrevious: stands, enabled: !opening });
  const arrived = !opening && !!list.data;
  useEffect(() => setStands((before) => before || arrived), [arrived]);
  // Most lists open with no view: their rows do not wait for the answer that says so.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it is opened
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
