import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { money } from '../../ui/format/format.ts';

type Paid = Pick<Pedido, 'estado' | 'pagado' | 'precio_total'>;

/** Spanish words for the effect of a new total in euros on a paid order; undefined if there is none. */
export function meaningOf({ estado, pagado, precio_total }: Paid, total: number): { words: string; refused?: true } | undefined {
  const cents = Math.round(total * 100) - Math.round(pagado * 100);
  if (pagado === 0 || total === precio_total) return undefined;
  if (cents === 0) return { words: `Queda pagado: ya hay ${money(pagado)} pagados.` };
  if (cents > 0) return { words: `Ya hay ${money(pagado)} pagados: faltarán ${money(cents / 100)} por cobrar.` };
  if (estado === 'pendiente_pago') return { words: `Ya se han pagado ${money(pagado)}: el total no puede ser menos.`, refused: true };
  return { words: `Ya hay ${money(pagado)} pagados: sobrarán ${money(-cents / 100)}, que habrá que reembolsar al cliente.` };
}
