import { listPedidos, type Pedido } from '../contract/pedidos/pedidos.ts';
import type { Client } from '../test/client.ts';

/** Requests of lists, one order and figures, named by the person's action; each call of `path` can return a different URL. */
export type Request = { what: string; path: () => string };

/** Requests to measure in a shop of this many orders; `sample` are some of its orders. */
export function requestsOf(orders: number, sample: readonly Pedido[]): Request[] {
  const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
  const phones = sample.flatMap(({ cliente_telefono }) => cliente_telefono ?? []);
  const reseller = sample.flatMap(({ revendedor_id }) => revendedor_id ?? [])[0];
  const words = [...new Set(sample.flatMap((p) => p.cliente_nombre.split(' ')).filter((word) => word.length > 3))];
  const middle = Math.floor(orders / 40);
  const list = (what: string, query: () => string): Request => ({ what, path: () => `/api/pedidos?${query()}` });
  const figures = (path: string): Request => ({ what: path, path: () => path });
  return [
    list('20 newest orders', () => ''),
    { what: 'one order', path: () => `/api/pedidos/${any(sample).id}` },
    list('search by number', () => `search=${any(sample).numero_orden}`),
    list('search by phone', () => `search=${encodeURIComponent(any(phones))}`),
    list('search by one word of a name', () => `search=${encodeURIComponent(any(words))}`),
    list('search by name and surname', () => `search=${encodeURIComponent(any(sample).cliente_nombre)}`),
    list('search by a word of half the orders', () => 'search=calle'),
    list('the same, sorted by customer', () => 'search=calle&sort=cliente_nombre'),
    list('search by a year', () => 'search=2026'),
    list('search by two letters', () => 'search=ma'),
    list('search by two letters that nobody has', () => 'search=zz'),
    list('search by one letter', () => 'search=a'),
    list('two letters among the completed', () => 'search=ma&estado=completado'),
    list('two letters of one reseller', () => `search=ma&revendedor_id=${reseller}`),
    list('estado', () => 'estado=pendiente'),
    list('three estados, sorted by total', () => 'estado=asignado,en_ruta,completado&sort=precio_total'),
    list('a month', () => `fecha_desde=${daysAgo(30)}&fecha_hasta=${daysAgo(0)}`),
    list('without a carrier', () => 'transportista_id=sin'),
    list('one reseller without a carrier', () => `revendedor_id=${reseller}&transportista_id=sin`),
    list('company', () => 'empresa_transporte=mrw'),
    list('sorted by customer', () => 'sort=cliente_nombre&dir=asc'),
    list('page 50', () => 'page=50'),
    list('the page in the middle', () => `page=${middle}`),
    list('last page', () => `page=${2 * middle}`),
    list('the page in the middle, by customer', () => `page=${middle}&sort=cliente_nombre`),
    list('the page in the middle of the completed', () => `page=${Math.floor(orders / 50)}&estado=completado`),
    list('late', () => 'atrasado=si'),
    figures('/api/clientes'),
    figures('/api/stats/admin'),
    figures(`/api/stats/serie?from=${daysAgo(364)}&to=${daysAgo(0)}`),
    figures('/api/stats/atencion'),
    figures('/api/stats/transportistas?periodo=30d'),
    figures('/api/logs'),
    figures('/api/products'),
  ];
}

/** Returns some of the filled orders, without those that a measurement created today. */
export const sampleOf = async (admin: Client): Promise<Pedido[]> =>
  (await admin.call(listPedidos, { query: { per_page: 100, fecha_hasta: daysAgo(1) } })).body.data as Pedido[];

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
