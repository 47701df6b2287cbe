import { writesField } from '../../../contract/pedidos/access.ts';
import { EDITABLE_FIELDS, type EditableField, PEDIDO_FIELDS, pedidoField } from '../../../contract/pedidos/fields.ts';
import { type Actor, can } from '../../../contract/policy/policy.ts';
import type { Meanings, WordKind } from '../../../contract/sheets/words.ts';
import type { SheetColumns } from '../../sheets/reading.ts';
import type { SheetLine } from '../../sheets/table.ts';

/* Fields of the order that a column of a sheet can contain. */

/**
 * Field to which a column can be matched. `pack` is the pack's text, `pedido` joins rows into an order, `total` is only compared.
 */
export type Target = EditableField | 'pack' | 'cantidad' | 'contra_reembolso' | 'pedido' | Money;
export type Money = 'envio' | 'descuento' | 'total' | 'pago' | 'pago_referencia';
export const MONEY: readonly Money[] = ['envio', 'descuento', 'total', 'pago', 'pago_referencia'];
/** What a column can say of an order beside its fields: whether it is to be delivered, and in which currency its amounts are. */
export const FACTS = ['situacion', 'anulado', 'moneda'] as const;
export type SheetColumn = Target | (typeof FACTS)[number];
export const TARGETS: readonly Target[] = [...EDITABLE_FIELDS, 'pack', 'cantidad', 'contra_reembolso', 'pedido', ...MONEY];
/** Fields of a line; all others belong to the whole order. */
export const LINE_TARGETS: readonly Target[] = ['pack', 'cantidad'];
export const REQUIRED_TARGETS: readonly Target[] = ['cliente_nombre', 'cliente_direccion', 'pack'];
/** True if `actor` may write the field in a new order. */
export function mayTarget(actor: Actor & { iva?: true | undefined }, target: Target): boolean {
  // A shop without VAT does not use the NIF; the screen lists the column as unused.
  if (target === 'cliente_nif' && !actor.iva) return false;
  if (target === 'pack' || target === 'pedido' || target === 'total') return true;
  return target === 'pago' || target === 'pago_referencia' ? can(actor, 'pedido:create-paid') : writesField(actor, target);
}
export const isTarget = (name: unknown): name is Target => TARGETS.some((target) => target === name);
export const COLUMNS: readonly SheetColumn[] = [...TARGETS, ...FACTS];
/** True for a column that `actor` may fill. */
export const isColumnFor =
  (actor: Parameters<typeof mayTarget>[0]) =>
  (name: string): name is SheetColumn =>
    FACTS.some((fact) => fact === name) || (isTarget(name) && mayTarget(actor, name));
/** Kind of the words of a column; undefined for other text. */
export const columnWordKind = (column: SheetColumn | '' | undefined): WordKind | undefined =>
  column === 'pago' || column === 'contra_reembolso' || FACTS.some((fact) => fact === column) ? (column as WordKind) : undefined;

const { numero_orden, pack_id } = PEDIDO_FIELDS;
const LABELS: Partial<Record<SheetColumn, string>> = {
  pack: pack_id.label,
  pedido: numero_orden.exported.heading,
  total: 'Total según la hoja',
  pago: 'Ya pagado con',
  pago_referencia: 'Referencia del pago',
  situacion: 'Si se entrega o queda fuera',
  anulado: 'Día en que se anuló o se envió',
  moneda: 'Moneda',
};
export const targetLabel = (target: SheetColumn): string => LABELS[target] ?? pedidoField(target as EditableField).label;

/** A row of the sheet with the person's corrections; immutable. Rows of one line of the sheet have the same `n`. */
export type Row = SheetLine & { id: string; typed: Partial<Record<Target, string>>; pack_id?: string };
export type Values = Record<Target, string>;
/** What the columns of a sheet are and what its words mean. */
export type Reading = { columns: SheetColumns<SheetColumn>; words: Meanings; monthFirst?: boolean | undefined };
