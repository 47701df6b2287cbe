import { listPedidos } from '../../../contract/pedidos.ts';
import { useApi } from '../../api.ts';
import { useSearchState } from '../../ui/list/search-state.ts';
import { isWhole } from '../whole.ts';
import { DEFAULT_FILTERS, inForce, queryOf } from './query.ts';

/**
 * Loads a page of orders by the filters in the address; `table` holds the props of their DataTable.
 * `errorTitle` is shown when loading fails.
 */
export function usePedidos(errorTitle: string) {
  const [given, setFilters] = useSearchState(DEFAULT_FILTERS);
  const filters = inForce(given);
  const { data, error, isPlaceholderData, refetch } = useApi(listPedidos, { query: queryOf(filters) }, { keepPrevious: true });
  const dir: 'asc' | 'desc' = filters.dir === 'asc' ? 'asc' : 'desc';
  return {
    filters,
    setFilters,
    table: {
      rows: data?.data.filter(isWhole),
      busy: isPlaceholderData,
      error: { title: errorTitle, cause: error, onRetry: () => void refetch() },
      sort: {
        by: filters.sort,
        dir,
        onSort: (sort: string, dir: 'asc' | 'desc') => setFilters({ sort, dir }),
      },
      pages: { of: data, noun: 'pedidos', onPage: (page: number) => setFilters({ page }) },
    },
  };
}
