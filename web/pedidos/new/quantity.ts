import { parseNumber } from '../../ui/format/numbers.ts';

/** The quantity as a number, or nothing when it is not one an order may have. */
export function cantidadOf(typed: string): number | undefined {
  const cantidad = parseNumber(typed);
  return Number.isInteger(cantidad) && cantidad >= 1 && cantidad <= 9999 ? cantidad : undefined;
}

/** The same as @mantine/form takes it; what is wrong is said as soon as the field is left. */
export const CANTIDAD = {
  rule: (typed: string) => (cantidadOf(typed) ? null : 'La cantidad debe ser un número entero entre 1 y 9999'),
  onBlur: ['cantidad'],
};
