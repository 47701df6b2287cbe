import { writes } from '../../../contract/pedidos.access.ts';
import { EDITABLE_FIELDS, type EditableField, PEDIDO_FIELDS, pedidoField } from '../../../contract/pedidos.fields.ts';
import type { Actor } from '../../../contract/policy.ts';

/* Fields of the order that a column of a sheet may hold. */

/** Field that a column may hold; `pack` is its text. */
export type Target = EditableField | 'pack' | 'cantidad' | 'contra_reembolso';
/** Target of each column; '' if unused. */
export type Columns = readonly (Target | '')[];
export const TARGETS: readonly Target[] = [...EDITABLE_FIELDS, 'pack', 'cantidad', 'contra_reembolso'];
export const REQUIRED_TARGETS: readonly Target[] = ['cliente_nombre', 'cliente_direccion', 'pack'];
/** True for what this person may write of a new order. */
export const mayTarget = (actor: Actor, target: Target): boolean => target === 'pack' || writes(actor, target);
/** These columns, without those that this person may not write. */
export const columnsFor = (actor: Actor, columns: Columns): Columns =>
  columns.map((column) => (column && mayTarget(actor, column) ? column : ''));
export const isTarget = (name: unknown): name is Target => TARGETS.some((target) => target === name);

export const targetLabel = (target: Target): string => (target === 'pack' ? PEDIDO_FIELDS.pack_id : pedidoField(target)).label;
