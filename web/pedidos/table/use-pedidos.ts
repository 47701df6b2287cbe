import { useState } from 'react';
import { listPedidos } from '../../../contract/pedidos.ts';
import { useApi } from '../../api.ts';
import { useSearchState } from '../../ui/list/search-state.ts';
import type { useLook } from '../../ui/list/use-view.ts';
import { isWhole } from '../whole.ts';
import { listProps } from './list-props.ts';
import { DEFAULT_FILTERS, inForce, queryOf } from './query.ts';

/**
 * Loads a page of orders by the filters in the address; `search` and `table` are the props of its search box and DataTable.
 * `errorTitle` is shown when loading fails. With a `look`, the person chooses how many
 * a page has.
 */
export function usePedidos(errorTitle: string, look?: ReturnType<typeof useLook>) {
  const [given, setFilters] = useSearchState(DEFAULT_FILTERS);
  const filters = inForce(given);
  // «Contar todos» holds for the filter it was asked of, on every page and in every order.
  const filter = JSON.stringify({ ...filters, page: 1, sort: '', dir: '' });
  const [counted, setCounted] = useState<string>();
  const contar = counted === filter ? 'todos' : undefined;
  const list = useApi(listPedidos, { query: { ...queryOf(filters), per_page: look?.perPage, contar } }, { keepPrevious: true });
  const dir: 'asc' | 'desc' = filters.dir === 'asc' ? 'asc' : 'desc';
  const { search, table } = listProps(list, filters.search, setFilters, errorTitle);
  const sort = { by: filters.sort, dir, onSort: (sort: string, dir: 'asc' | 'desc') => setFilters({ sort, dir }) };
  const onPerPage = (perPage: number) => {
    look?.setLook({ perPage });
    setFilters({ page: 1 });
  };
  const pages = { ...table.pages, onCountAll: () => setCounted(filter), ...(look && { onPerPage }) };
  return { filters, setFilters, search, table: { ...table, pages, rows: table.rows?.filter(isWhole), sort } };
}
