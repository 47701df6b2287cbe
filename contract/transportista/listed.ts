import type { QueryIn } from '../kit/endpoint.ts';
import type { Estado } from '../pedidos/estados.ts';
import { FIELDS, pedidoField } from '../pedidos/fields.ts';
import type { listPedidos, PedidoTransportista } from '../pedidos/pedidos.ts';
import { isFoundIn, isSearch, readSearch, wholeNumbers } from '../pedidos/search.ts';
import { foldText } from '../text/normalize.ts';
import { telephonesIn } from '../text/telephone.ts';

/* Lists of orders in memory. The server's SQL gives the same rows (server/pedidos/lectura/listed.test.ts). */

/** Query that a telephone answers: ascending, one of two orders of rows. */
export type OwnQuery = Pick<QueryIn<typeof listPedidos>, 'search' | 'estado' | 'ciudad'> & {
  sort: Extract<QueryIn<typeof listPedidos>['sort'], 'fecha_estimada' | 'cliente_ciudad'>;
};

const AUDIENCES = ['contact', 'delivery', 'order'];
const digitsOf = (text: string) => telephonesIn(text).join(' ') || text.replace(/\D/g, '');

/** Words that the server searches of an order in its carrier's hands; a bank shows a shop's number in letters and figures, with the end of the id. */
function searchTextOf(pedido: PedidoTransportista): string {
  const wordsOf = (name: (typeof FIELDS)[number]): string[] => {
    const value = String(pedido[name as keyof PedidoTransportista] ?? '');
    if (pedidoField(name).kind === 'telephone') return [value, digitsOf(value)];
    if (name !== 'numero_orden' || /^ORD-[0-9]+$/.test(value)) return [value];
    const shown = foldText(`${value} ${pedido.id.replaceAll('-', '').slice(-8)}`);
    return [value, shown.replace(/[^a-z0-9]+/g, ' '), shown.replace(/[^a-z0-9]+/g, '')];
  };
  const parts = AUDIENCES.map((audience) => FIELDS.filter((name) => pedidoField(name).searched && pedidoField(name).seen === audience));
  return foldText(
    parts
      .map((names) => names.flatMap(wordsOf).map((word) => ` ${word}`))
      .map((words) => words.join(''))
      .join('\u0001'),
  );
}

function isFound(pedido: PedidoTransportista, search: string): boolean {
  if (!isSearch(search)) return true;
  return (wholeNumbers(search)?.includes(pedido.numero_orden) ?? true) && isFoundIn(searchTextOf(pedido), search);
}

const names = new Intl.Collator('es');
const byText = (first: string, second: string) => (first < second ? -1 : Number(first > second));
/** Missing values come last, as in SQL. */
function compare(first: string | null, second: string | null, collator?: Intl.Collator): number {
  if (first === null || second === null) return Number(first === null) - Number(second === null);
  return collator?.compare(first, second) || byText(first, second);
}

/** Orders that match the query, in its order of rows. */
export function listOrders(orders: readonly PedidoTransportista[], { search = '', estado, ciudad, sort }: OwnQuery): PedidoTransportista[] {
  const estados = estado?.split(',') as Estado[] | undefined;
  const text = readSearch(search);
  return orders
    .filter((p) => (!estados || estados.includes(p.estado)) && (!ciudad || p.cliente_ciudad === ciudad) && isFound(p, text))
    .sort((a, b) => compare(a[sort], b[sort], sort === 'cliente_ciudad' ? names : undefined) || byText(a.id, b.id));
}
