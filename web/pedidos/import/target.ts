import { writes } from '../../../contract/pedidos/access.ts';
import { EDITABLE_FIELDS, type EditableField, PEDIDO_FIELDS, pedidoField } from '../../../contract/pedidos/fields.ts';
import { type Actor, can } from '../../../contract/policy/policy.ts';

/* Fields of the order that a column of a sheet can contain. */

/**
 * Field to which a column can be matched. `pack` is the pack's text, `pedido` joins rows into an order, `total` is only compared.
 */
export type Target = EditableField | 'pack' | 'cantidad' | 'contra_reembolso' | 'pedido' | Money;
export type Money = 'envio' | 'descuento' | 'total' | 'pago' | 'pago_referencia';
export const MONEY: readonly Money[] = ['envio', 'descuento', 'total', 'pago', 'pago_referencia'];
/** Target of each column; '' if unused. */
export type Targets = readonly (Target | '')[];
export const TARGETS: readonly Target[] = [...EDITABLE_FIELDS, 'pack', 'cantidad', 'contra_reembolso', 'pedido', ...MONEY];
/** Fields of a line; all others belong to the whole order. */
export const LINE_TARGETS: readonly Target[] = ['pack', 'cantidad'];
export const REQUIRED_TARGETS: readonly Target[] = ['cliente_nombre', 'cliente_direccion', 'pack'];
/** True if `actor` may write the field in a new order. */
export function mayTarget(actor: Actor & { iva?: true | undefined }, target: Target): boolean {
  // A shop without VAT does not use the NIF; the screen lists the column as unused.
  if (target === 'cliente_nif' && !actor.iva) return false;
  if (target === 'pack' || target === 'pedido' || target === 'total') return true;
  return target === 'pago' || target === 'pago_referencia' ? can(actor, 'pedido:create-paid') : writes(actor, target);
}
/** Clears the columns that `actor` may not write. */
export const columnsFor = (actor: Parameters<typeof mayTarget>[0], columns: Targets): Targets =>
  columns.map((column) => (column && mayTarget(actor, column) ? column : ''));
export const isTarget = (name: unknown): name is Target => TARGETS.some((target) => target === name);

const { numero_orden, pack_id } = PEDIDO_FIELDS;
const LABELS: Partial<Record<Target, string>> = {
  pack: pack_id.label,
  pedido: numero_orden.exported.heading,
  total: 'Total según la hoja',
  pago: 'Ya pagado con',
  pago_referencia: 'Referencia del pago',
};
export const targetLabel = (target: Target): string => LABELS[target] ?? pedidoField(target as EditableField).label;
