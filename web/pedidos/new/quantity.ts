import { problemOf } from '../../../contract/fields.ts';
import { PEDIDO_FIELDS } from '../../../contract/pedidos.fields.ts';
import { parseNumber } from '../../ui/format/numbers.ts';

/** Parses the quantity; undefined when invalid. */
export function cantidadOf(typed: string): number | undefined {
  const cantidad = parseNumber(typed);
  return problemOf(PEDIDO_FIELDS.cantidad, cantidad) ? undefined : cantidad;
}
