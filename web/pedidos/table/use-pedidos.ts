import { listPedidos } from '../../../contract/pedidos.ts';
import { useApi } from '../../api.ts';
import { useSearchState } from '../../ui/list/search-state.ts';
import { isWhole } from '../whole.ts';
import { consultaDe, enVigor, FILTROS } from './query.ts';

// The latest and the largest first; names and numbers from the beginning.
const firstDir = (sort: string) => (/^(fecha|precio)_/.test(sort) ? 'desc' : 'asc');

/**
 * A page of orders by the filters of the address, and what a DataTable of them takes. `errorTitle` is
 * said when they cannot be loaded.
 */
export function usePedidos(errorTitle: string) {
  const [given, setFiltros] = useSearchState(FILTROS);
  const filtros = enVigor(given);
  const { data, error, isPlaceholderData, refetch } = useApi(listPedidos, { query: consultaDe(filtros) }, { keepPrevious: true });
  const dir: 'asc' | 'desc' = filtros.dir === 'asc' ? 'asc' : 'desc';
  return {
    filtros,
    setFiltros,
    table: {
      rows: data?.data.filter(isWhole),
      busy: isPlaceholderData,
      error: { title: errorTitle, cause: error, onRetry: () => void refetch() },
      sort: {
        by: filtros.sort,
        dir,
        onSort: (sort: string, dir: 'asc' | 'desc') => setFiltros({ sort, dir: sort === filtros.sort ? dir : firstDir(sort) }),
      },
      pages: { of: data, noun: 'pedidos', onPage: (page: number) => setFiltros({ page }) },
    },
  };
}
