import { MAX_PER_PAGE } from '../../../contract/kit.ts';
import { MAX_LOTE } from '../../../contract/pedidos.lote.ts';
import { listPedidos, type Pedido } from '../../../contract/pedidos.ts';
import { call } from '../../api.ts';
import { consultaDe, FILTROS, type Filtros } from '../table/query.ts';
import { isWhole } from '../whole.ts';
import { type filtroDe, idsOf, MAX_IDS, type Seleccion } from './use-selection.ts';

/** Where the delivery notes of the chosen orders are printed. */
export function imprimirHref(seleccion: Seleccion, filtro: ReturnType<typeof filtroDe>): string {
  const chosen = seleccion.todos === undefined ? { ids: idsOf(seleccion) } : { todos: 'si', ...filtro };
  const given = Object.entries(chosen).filter((pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== '');
  return `/pedidos/imprimir?${new URLSearchParams(given)}`;
}

/** What an address of the print view asks for; undefined when it asks for nothing. */
export function loQuePide(search: Partial<Record<string, string | number>>): { ids: string[] } | { filtros: Filtros } | undefined {
  const ids = [...new Set(String(search.ids ?? '').split(','))].filter((id) => /^[0-9a-f-]{36}$/i.test(id)).slice(0, MAX_IDS);
  if (ids.length) return { ids };
  if (search.todos !== 'si') return undefined;
  const given = Object.fromEntries(Object.keys(FILTROS).map((key) => [key, String(search[key] ?? '')]));
  return { filtros: { ...FILTROS, ...given, page: 1 } };
}

/** The orders to print, newest first. Those that are no longer there are left out. */
export async function pedidosPara(wanted: NonNullable<ReturnType<typeof loQuePide>>, signal: AbortSignal): Promise<Pedido[]> {
  const which = 'ids' in wanted ? { ids: wanted.ids.join(',') } : consultaDe(wanted.filtros);
  const found: Pedido[] = [];
  for (let page = 1; page <= MAX_LOTE / MAX_PER_PAGE; page++) {
    const query = { ...which, sort: 'fecha_pedido' as const, dir: 'desc' as const, page, per_page: MAX_PER_PAGE };
    const { data, last_page } = await call(listPedidos, { query, signal });
    found.push(...data.filter(isWhole));
    if (page >= last_page) break;
  }
  return found;
}
