import type { Linea, LineaTransportista } from '../../../contract/pedidos/lineas.ts';
import { getPedido, type PedidoDisponible } from '../../../contract/pedidos/pedidos.ts';
import { useApi } from '../../api.ts';

/** Line as seen by any role; carriers see no prices. */
export type SeenLine = LineaTransportista & Partial<Linea>;

/** Summary of an order, with its lines if already loaded. */
export type Summarised = Pick<PedidoDisponible, 'id' | 'producto' | 'cantidad' | 'num_lineas'> & {
  lineas?: readonly SeenLine[] | undefined;
};

/** Returns the lines of an order; while they load, the summary and the missing number. Undefined for a single line, or unreadable. */
export function useLines(pedido: Summarised): { lines: readonly SeenLine[]; coming: number } | undefined {
  const { num_lineas: count } = pedido;
  const { data, isLoading } = useApi(getPedido, { params: { id: pedido.id } }, { enabled: count > 1 && !pedido.lineas });
  const lines = pedido.lineas ?? data?.data.lineas;
  if (lines) return lines.length > 1 ? { lines, coming: 0 } : undefined;
  const { producto, cantidad } = pedido;
  return isLoading ? { lines: [{ numero: 0, producto, cantidad }], coming: count - 1 } : undefined;
}
