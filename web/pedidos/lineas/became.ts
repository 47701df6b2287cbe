import type { Devolucion } from '../../../contract/devoluciones/devoluciones.ts';
import { PARCIAL } from '../../../contract/devoluciones/fields.ts';
import { GRUPO_ESTADOS } from '../../../contract/pedidos/estados.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { plural } from '../../../contract/text/plural.ts';
import { number } from '../../ui/format/format.ts';

type Order = Pick<Pedido, 'estado' | 'deleted_at'>;
type Line = { numero: number; cantidad: number };

/** What became of a line, in Spanish words: delivered, not delivered, returned, or to come; '' for a cancelled or deleted order. */
export function becameWords({ estado, deleted_at }: Order, { numero, cantidad }: Line, returns: readonly Devolucion[]): string {
  if (deleted_at || GRUPO_ESTADOS.cancelado.includes(estado)) return '';
  if (!GRUPO_ESTADOS.completado.includes(estado)) return 'Por entregar';
  const valid = returns.filter(({ anulada_at }) => !anulada_at);
  const packs = (of: readonly Devolucion[]) =>
    of.flatMap(({ lineas }) => lineas.filter((line) => line.numero === numero)).reduce((sum, line) => sum + line.cantidad, 0);
  const short = valid.filter(({ motivo }) => motivo === PARCIAL);
  const missing = packs(short);
  const back = packs(valid.filter(({ motivo }) => motivo !== PARCIAL));
  const delivered =
    missing === 0 ? 'Entregado' : missing === cantidad ? 'No entregado' : `${number(cantidad - missing)} de ${number(cantidad)} entregados`;
  const coming = missing > 0 && short.some(({ resto_pedido_id }) => resto_pedido_id) && 'el resto va en otro pedido';
  if (back > 0 && back === cantidad) return 'Devuelto';
  return [delivered, coming, back > 0 && plural(back, 'devuelto')].filter(Boolean).join(' · ');
}
