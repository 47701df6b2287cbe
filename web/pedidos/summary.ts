import type { PedidoDisponible } from '../../contract/pedidos/pedidos.ts';
import { number } from '../ui/format/format.ts';

/** «2 × Aceite – Caja» or, for several lines, «Aceite – Caja y 2 más (7 en total)»; `cantidad` is the total of all lines. */
export const summaryWords = ({ producto, cantidad, num_lineas }: Pick<PedidoDisponible, 'producto' | 'cantidad' | 'num_lineas'>): string =>
  num_lineas > 1 ? `${producto} (${number(cantidad)} en total)` : lineWords({ producto, cantidad });

export const lineWords = ({ producto, cantidad }: Pick<PedidoDisponible, 'producto' | 'cantidad'>): string =>
  `${number(cantidad)} × ${producto}`;
