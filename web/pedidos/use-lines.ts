import type { Linea, LineaTransportista } from '../../contract/pedidos.lineas.ts';
import { getPedido, type PedidoDisponible } from '../../contract/pedidos.ts';
import { useApi } from '../api.ts';

/** A line as any role receives it: without prices for a carrier. */
export type SeenLine = LineaTransportista & Partial<Linea>;

/** An order by its summary, with its lines if they have come with it. */
export type Summarised = Pick<PedidoDisponible, 'id' | 'producto' | 'cantidad' | 'num_lineas'> & {
  lineas?: readonly SeenLine[] | undefined;
};

/**
 * The lines of an order of several, which the rows of lists do not have; while they come, its summary in their place and how
 * many more there will be. Undefined where the summary says all, of an order of one line, or all that can be read.
 */
export function useLines(pedido: Summarised): { lines: readonly SeenLine[]; coming: number } | undefined {
  const { num_lineas: count } = pedido;
  const { data, isLoading } = useApi(getPedido, { params: { id: pedido.id } }, { enabled: count > 1 && !pedido.lineas });
  const lines = pedido.lineas ?? data?.data.lineas;
  if (lines) return lines.length > 1 ? { lines, coming: 0 } : undefined;
  const { producto, cantidad } = pedido;
  return isLoading ? { lines: [{ numero: 0, producto, cantidad }], coming: count - 1 } : undefined;
}
