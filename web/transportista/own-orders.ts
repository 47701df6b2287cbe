import { listComentarios } from '../../contract/comentarios/comentarios.ts';
import type { Answer, QueryIn } from '../../contract/kit/endpoint.ts';
import { MAX_PER_PAGE, PER_PAGE } from '../../contract/kit/pages.ts';
import { EN_MANOS, type Estado } from '../../contract/pedidos/estados.ts';
import { listPedidos, type PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { foldText } from '../../contract/text/normalize.ts';
import { queryClient, queryOf } from '../api.ts';

/*
 * Caches all orders in a carrier's hands on the phone, not only the visible page. Search, filters and pages then work without coverage.
 */

type Page = Answer<typeof listPedidos>;
type Asked = Pick<QueryIn<typeof listPedidos>, 'search' | 'estado' | 'ciudad' | 'sort' | 'page'>;

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
      const answer = await queryClient.fetchQuery({ ...queryOf(listPedidos, inHand(page)), ...KEEP, staleTime: FRESH_MS });
      rows.push(...answer.data.filter(isOwn));
      last = answer.last_page;
    }
  }
  // Fetches one after another, so that the screen's own requests go first.
  for (const { id } of rows.filter(({ estado }) => EN_MANOS.includes(estado)))
    await queryClient.fetchQuery({ ...queryOf(listComentarios, { params: { id } }), ...KEEP, staleTime: COMMENTS_FRESH_MS });
}

type Own = { at: number; rows: readonly PedidoTransportista[] };

/** Returns all orders in hand from the newest cached response that holds them all, or else from cached pages; undefined without either. */
function ownOrders(): Own | undefined {
  const whole = queryClient
    .getQueryCache()
    .findAll({ queryKey: [listPedidos.path] })
    .flatMap(({ queryKey, state }) => {
      const asked = new URLSearchParams(String(queryKey[1]).split('?')[1]);
      const answer = state.data as Page | undefined;
      const isAll = asked.get('estado') === EN_MANOS.join(',') && !asked.get('search') && !asked.get('ciudad') && answer?.last_page === 1;
      return isAll && answer ? [{ at: state.dataUpdatedAt, rows: answer.data.filter(isOwn) }] : [];
    })
    .sort((first, second) => second.at - first.at);
  return whole[0] ?? several();
}

/** Returns the orders in hand, joined from cached pages; undefined if a page is missing. */
function several(): Own | undefined {
  const rows: PedidoTransportista[] = [];
  let at = Number.POSITIVE_INFINITY;
  for (let page = 1, last = 1; page <= last; page += 1) {
    const state = queryClient.getQueryState<Page>(queryOf(listPedidos, inHand(page)).queryKey);
    if (!state?.data) return undefined;
    rows.push(...state.data.data.filter(isOwn));
    last = state.data.last_page;
    at = Math.min(at, state.dataUpdatedAt);
  }
  return { at, rows };
}

const wordsOf = (pedido: PedidoTransportista) =>
  foldText(
    [
      pedido.numero_orden,
      pedido.cliente_nombre,
      pedido.cliente_direccion,
      pedido.cliente_ciudad,
      pedido.cliente_codigo_postal,
      pedido.cliente_telefono,
      pedido.producto,
    ].join(' '),
  );
const byTown = (first: PedidoTransportista, second: PedidoTransportista) =>
  (first.cliente_ciudad ?? '').localeCompare(second.cliente_ciudad ?? '', 'es');
const byDate = (first: PedidoTransportista, second: PedidoTransportista) =>
  (first.fecha_estimada ?? '9').localeCompare(second.fecha_estimada ?? '9') || first.numero_orden.localeCompare(second.numero_orden);

/** Answers a list query from the orders in hand on this phone; undefined for finished orders, or if none are cached later than `since` (ms). */
export function ownPage({ search = '', estado = '', ciudad, sort, page = 1 }: Asked, since: number): Page | undefined {
  const estados = estado.split(',') as Estado[];
  const own = estados.every((estado) => EN_MANOS.includes(estado)) ? ownOrders() : undefined;
  if (!own || own.at <= since) return undefined;
  const words = foldText(search).split(/\s+/).filter(Boolean);
  const found = own.rows
    .filter((pedido) => estados.includes(pedido.estado) && (!ciudad || foldText(pedido.cliente_ciudad ?? '') === foldText(ciudad)))
    .filter((pedido) => words.every((word) => wordsOf(pedido).includes(word)))
    .sort((first, second) => (sort === 'cliente_ciudad' && byTown(first, second)) || byDate(first, second));
  const from = (Number(page) - 1) * PER_PAGE;
  return {
    data: found.slice(from, from + PER_PAGE),
    total: found.length,
    current_page: Number(page),
    last_page: Math.max(1, Math.ceil(found.length / PER_PAGE)),
    per_page: PER_PAGE,
  };
}
