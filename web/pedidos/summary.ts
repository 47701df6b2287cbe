import type { PedidoDisponible } from '../../contract/pedidos.ts';
import { number } from '../ui/format/format.ts';

type Summarised = Pick<PedidoDisponible, 'producto' | 'cantidad'>;

/** How many lines an order has, by the end of its summary: «Aceite – Caja y 2 más». */
export const countLines = ({ producto }: Summarised): number => 1 + Number(/ y (\d+) más$/.exec(producto)?.[1] ?? 0);

/** «2 × Aceite – Caja»; of several lines, whose number is that of them all, «Aceite – Caja y 2 más (7 en total)». */
export function summaryWords(pedido: Summarised): string {
  const { producto, cantidad } = pedido;
  return countLines(pedido) > 1 ? `${producto} (${number(cantidad)} en total)` : `${number(cantidad)} × ${producto}`;
}

/** «2 × Aceite – Caja» of a line. */
export const lineWords = ({ producto, cantidad }: Summarised): string => `${number(cantidad)} × ${producto}`;
