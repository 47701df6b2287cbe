import { MAX_PER_PAGE } from '../../../contract/kit/pages.ts';
import { MAX_LOTE } from '../../../contract/pedidos/fields.ts';
import { isWhole, listPedidos } from '../../../contract/pedidos/pedidos.ts';
import { call } from '../../api.ts';
import { DEFAULT_FILTERS, type FilterValues, pedidosQuery } from '../table/query.ts';
import { MAX_IDS, type Selection, selectedIds, type sentFilters } from '../table/use-selection.ts';
import type { Printed } from './sheets.ts';

export function printHref(selection: Selection, filter: ReturnType<typeof sentFilters>): string {
  const chosen = selection.all === undefined ? { ids: selectedIds(selection) } : { todos: 'si', ...filter };
  const pairs = Object.entries(chosen).filter((pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== '');
  return `/pedidos/imprimir?${new URLSearchParams(pairs)}`;
}

/** Parses the address of the print view; undefined if it names no orders. */
export function printRequest(search: Partial<Record<string, string | number>>): { ids: string[] } | { filters: FilterValues } | undefined {
  const ids = [...new Set(String(search.ids ?? '').split(','))].filter((id) => /^[0-9a-f-]{36}$/i.test(id)).slice(0, MAX_IDS);
  if (ids.length) return { ids };
  if (search.todos !== 'si') return undefined;
  const filters = Object.fromEntries(Object.keys(DEFAULT_FILTERS).map((key) => [key, String(search[key] ?? '')]));
  return { filters: { ...DEFAULT_FILTERS, ...filters, page: 1 } };
}

/** Loads the orders to print with their lines, newest first; skips deleted orders. */
export async function fetchPedidos(wanted: NonNullable<ReturnType<typeof printRequest>>, signal: AbortSignal): Promise<Printed[]> {
  const which = 'ids' in wanted ? { ids: wanted.ids.join(',') } : pedidosQuery(wanted.filters);
  const found: Printed[] = [];
  for (let page = 1; page <= MAX_LOTE / MAX_PER_PAGE; page++) {
    const query = { ...which, con: 'lineas' as const, sort: 'fecha_pedido' as const, dir: 'desc' as const, page, per_page: MAX_PER_PAGE };
    const { data, last_page } = await call(listPedidos, { query, signal });
    for (const pedido of data) if (isWhole(pedido) && pedido.lineas) found.push({ ...pedido, lineas: pedido.lineas });
    if (page >= last_page) break;
  }
  return found;
}
