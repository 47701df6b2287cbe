import { MAX_PER_PAGE } from '../../../contract/kit.ts';
import { MAX_LOTE } from '../../../contract/lote.ts';
import { getPedido, listPedidos, type Pedido } from '../../../contract/pedidos.ts';
import { ApiError, call } from '../../api.ts';
import { consultaDe, FILTROS, type Filtros } from '../tabla/consulta.ts';
import { isWhole } from '../whole.ts';
import type { filtroDe, Seleccion } from './use-seleccion.ts';

/** Each is asked for by itself, and all of them stand in the address. */
export const MAX_IMPRIMIR_IDS = 100;
/** Calls under way at once. */
const TOGETHER = 6;

/** Where the delivery notes of the chosen orders are printed. */
export function imprimirHref({ rows, todos }: Seleccion, filtro: ReturnType<typeof filtroDe>): string {
  const chosen = todos === undefined ? { ids: rows.map(({ id }) => id).join(',') } : { todos: 'si', ...filtro };
  const given = Object.entries(chosen).filter((pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== '');
  return `/pedidos/imprimir?${new URLSearchParams(given)}`;
}

/** What an address of the print view asks for; undefined when it asks for nothing. */
export function loQuePide(search: Partial<Record<string, string | number>>): { ids: string[] } | { filtros: Filtros } | undefined {
  const ids = [...new Set(String(search.ids ?? '').split(','))].filter((id) => /^[0-9a-f-]{36}$/i.test(id)).slice(0, MAX_IMPRIMIR_IDS);
  if (ids.length) return { ids };
  if (search.todos !== 'si') return undefined;
  const given = Object.fromEntries(Object.keys(FILTROS).map((key) => [key, String(search[key] ?? '')]));
  return { filtros: { ...FILTROS, ...given, page: 1 } };
}

/** The orders to print, by pages of the list or one by one. Those that are no longer there are left out. */
export async function pedidosPara(wanted: NonNullable<ReturnType<typeof loQuePide>>, signal: AbortSignal): Promise<Pedido[]> {
  return 'ids' in wanted ? byIds(wanted.ids, signal) : byFilter(wanted.filtros, signal);
}

async function byFilter(filtros: Filtros, signal: AbortSignal): Promise<Pedido[]> {
  const found: Pedido[] = [];
  for (let page = 1; page <= MAX_LOTE / MAX_PER_PAGE; page++) {
    const query = { ...consultaDe(filtros), sort: 'fecha_pedido' as const, dir: 'desc' as const, page, per_page: MAX_PER_PAGE };
    const { data, last_page } = await call(listPedidos, { query, signal });
    found.push(...data.filter(isWhole));
    if (page >= last_page) break;
  }
  return found;
}

async function byIds(ids: readonly string[], signal: AbortSignal): Promise<Pedido[]> {
  const found: Pedido[] = [];
  for (let i = 0; i < ids.length; i += TOGETHER) {
    const answers = await Promise.allSettled(ids.slice(i, i + TOGETHER).map((id) => call(getPedido, { params: { id }, signal })));
    for (const answer of answers) {
      if (answer.status === 'fulfilled') {
        const { data } = answer.value;
        if (isWhole(data) && !data.deleted_at) found.push(data);
      } else if (!(answer.reason instanceof ApiError && answer.reason.status === 404)) throw answer.reason;
    }
  }
  return found;
}
