import { problemOf } from '../../../contract/fields.ts';
import { PEDIDO_FIELDS } from '../../../contract/pedidos.fields.ts';
import { rulesOf } from '../../ui/form/rules.ts';
import { parseNumber } from '../../ui/format/numbers.ts';

/** The quantity as a number, or nothing when it is not one an order may have. */
export function cantidadOf(typed: string): number | undefined {
  const cantidad = parseNumber(typed);
  return problemOf(PEDIDO_FIELDS.cantidad, cantidad) ? undefined : cantidad;
}

/** The same as @mantine/form takes it; what is wrong is said as soon as the field is left. */
export const CANTIDAD = {
  rule: rulesOf(PEDIDO_FIELDS, ['cantidad']).cantidad,
  onBlur: ['cantidad'],
};
