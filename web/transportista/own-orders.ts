import { listComentarios } from '../../contract/comentarios/comentarios.ts';
import { type Answer, asPage } from '../../contract/kit/endpoint.ts';
import { MAX_PER_PAGE, PER_PAGE } from '../../contract/kit/pages.ts';
import { EN_MANOS } from '../../contract/pedidos/estados.ts';
import { listPedidos, type PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { listOrders, type OwnQuery } from '../../contract/transportista/listed.ts';
import { apiQuery, queryClient } from '../api.ts';

/*
 * Caches all orders in a carrier's hands on the phone, not only the visible page. Search, filters and pages then work without coverage.
 */

type Page = Answer<typeof listPedidos>;

const KEEP = { gcTime: 12 * 3_600_000, retry: false };
const FRESH_MS = 120_000;
const COMMENTS_FRESH_MS = 600_000;

// Page 1 is the query of «Ruta», which shares the cache.
const inHand = (page: number) => ({
  query: { estado: EN_MANOS.join(','), per_page: MAX_PER_PAGE, dir: 'asc', con: 'lineas', ...(page > 1 && { page }) } as const,
});
const isOwn = (pedido: object): pedido is PedidoTransportista => 'cliente_telefono' in pedido;

/** Caches all orders in hand, of which the screen may show only some, and the comments on each. */
export async function storeOwn(shown: Page): Promise<void> {
  let rows = shown.data.filter(isOwn);
  if (shown.last_page > 1) {
    rows = [];
    for (let page = 1, last = 1; page <= last; page += 1) {
      const answer = await queryClient.fetchQuery({ ...apiQuery(listPedidos, inHand(page)), ...KEEP, staleTime: FRESH_MS });
      rows.push(...answer.data.filter(isOwn));
      last = answer.last_page;
    }
  }
  // Fetches one after another, so that the screen's own requests go first.
  for (const { id } of rows.filter(({ estado }) => EN_MANOS.includes(estado)))
    await queryClient.fetchQuery({ ...apiQuery(listComentarios, { params: { id } }), ...KEEP, staleTime: COMMENTS_FRESH_MS });
}

type Cached = { at: number; page: Page; asked: URLSearchParams };

/** Responses of the order list with lines, newest first. */
const cached = (): Cached[] =>
  queryClient
    .getQueryCache()
    .findAll({ queryKey: [listPedidos.path] })
    .flatMap(({ queryKey, state }) => {
      const asked = new URLSearchParams(String(queryKey[1]).split('?')[1]);
      return state.data && asked.get('con') ? [{ at: state.dataUpdatedAt, page: state.data as Page, asked }] : [];
    })
    .sort((first, second) => second.at - first.at);

const isWhole = ({ page, asked }: Cached) =>
  page.last_page === 1 && asked.get('estado') === EN_MANOS.join(',') && !asked.get('search') && !asked.get('ciudad');

/**
 * Returns all orders in hand from the newest cached response that holds them all, or else from cached pages, each order as last read;
 * undefined without either.
 */
function ownOrders(): PedidoTransportista[] | undefined {
  const all = cached();
  const whole = all.find(isWhole);
  const base = whole ? { at: whole.at, rows: whole.page.data } : several();
  if (!base) return undefined;
  const newer = all.filter(({ at }) => at > base.at).flatMap(({ page }) => page.data);
  return [...new Map([...newer, ...base.rows].toReversed().map((row) => [row.id, row])).values()].filter(isOwn);
}

/** Returns the orders in hand, joined from cached pages; undefined if a page is missing. */
function several(): { at: number; rows: Page['data'] } | undefined {
  const rows: Page['data'] = [];
  let at = Number.POSITIVE_INFINITY;
  for (let page = 1, last = 1; page <= last; page += 1) {
    const state = queryClient.getQueryState<Page>(apiQuery(listPedidos, inHand(page)).queryKey);
    if (!state?.data) return undefined;
    rows.push(...state.data.data);
    last = state.data.last_page;
    at = Math.min(at, state.dataUpdatedAt);
  }
  return { at, rows };
}

/** Answers a query of orders in hand from those on this phone, every page of it; undefined if the phone lacks some. */
export function ownPage({ page = 1, ...query }: OwnQuery & { page?: number }): Page | undefined {
  const own = ownOrders();
  if (!own) return undefined;
  const found = listOrders(own, query);
  return asPage(found.slice((page - 1) * PER_PAGE, page * PER_PAGE), found.length, { page, per_page: PER_PAGE });
}
