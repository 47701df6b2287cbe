import type { PedidoFacts } from '../policy/facts.ts';
import { type Action, type Actor, can, mayEver, type PedidoAction } from '../policy/policy.ts';
import type { Estado } from './estados.ts';
import { AUDIENCES, type Audience, WRITERS } from './field.ts';
import { EDITABLE_FIELDS, type EditableField, FIELDS, type NamesWith, PEDIDO_FIELDS, type PedidoFieldName, pedidoField } from './fields.ts';

/* Readers and writers of each field of an order, derived from the table of fields; used by server and browser. */

const AUDIENCE_NAMES = Object.keys(AUDIENCES) as Audience[];

/** `contacto_oculto`: delivered so long ago that carriers no longer see the contact. */
export type SeenPedido = PedidoFacts & { contacto_oculto?: unknown };

const has = (actor: Actor, needed: readonly Action[], record: PedidoFacts | undefined) =>
  needed.some((action) => (record ? can(actor, action as PedidoAction, record) : mayEver(actor, action)));

/** True if `actor` belongs to `audience` for `record`; without `record`, for at least some orders. */
export function sees(actor: Actor, audience: Audience, record?: SeenPedido): boolean {
  if (AUDIENCES[audience].length === 0) return true;
  if (audience === 'contact' && record?.contacto_oculto && !sees(actor, 'sale', record)) return false;
  return has(actor, AUDIENCES[audience], record);
}

/** True if `actor` may see the field of `record`; without `record`, of at least some orders. */
export const seesField = (actor: Actor, name: PedidoFieldName, record?: SeenPedido): boolean => sees(actor, pedidoField(name).seen, record);

const seenBy = <A extends Audience>(...audiences: A[]) =>
  FIELDS.filter((name) => audiences.some((audience) => audience === pedidoField(name).seen)) as NamesWith<{ seen: A }>[];
export const FIELDS_OFFERED = seenBy('order');
export const FIELDS_UNPRICED = seenBy('order', 'delivery', 'contact');
export const FIELDS_CARRIED = seenBy('order', 'delivery', 'contact', 'collect');

/** Fields that `actor` may see of a readable order. */
export function visibleFields(actor: Actor, record?: SeenPedido): readonly PedidoFieldName[] {
  const seen = AUDIENCE_NAMES.filter((audience) => sees(actor, audience, record));
  return FIELDS.filter((name) => seen.includes(pedidoField(name).seen));
}

/** Drops the values of hidden fields; names that are not fields stay. */
export function seenIn<V>(actor: Actor, values: Record<string, V>, record?: SeenPedido): Record<string, V> {
  const seen: readonly string[] = visibleFields(actor, record);
  return Object.fromEntries(Object.entries(values).filter(([name]) => seen.includes(name) || !Object.hasOwn(PEDIDO_FIELDS, name)));
}

export function writesField(actor: Actor, name: PedidoFieldName): boolean {
  const { by } = pedidoField(name);
  return by !== undefined && has(actor, WRITERS[by], undefined);
}

type EditedField = EditableField | 'fecha_estimada' | 'metadata';
/** True if `actor` may write the field of `record`, in any estado. Hidden fields are refused: a client would send them back empty. */
export function editsField(actor: Actor, name: EditedField, record: SeenPedido): boolean {
  const { by, editedBy = by } = pedidoField(name);
  return editedBy !== undefined && seesField(actor, name, record) && has(actor, WRITERS[editedBy], undefined);
}

/** Returns the fields that `actor` may write: of a new order, or of `record` in its current estado. */
export function writableFields(actor: Actor, record?: SeenPedido): readonly PedidoFieldName[] {
  if (!record) return FIELDS.filter((name) => writesField(actor, name));
  if (!can(actor, 'pedido:edit', record)) return [];
  return [...EDITABLE_FIELDS, 'fecha_estimada' as const, 'metadata' as const].filter(
    (name) => editsField(actor, name, record) && isEditable(name, record),
  );
}

/** Input of an order or line, with null for fields that `actor` may not write. */
export function withoutUnwritable<I extends object>(actor: Actor, input: I): I {
  const refused = FIELDS.filter((name) => name in input && !writesField(actor, name));
  return { ...input, ...Object.fromEntries(refused.map((name) => [name, null])) };
}

/** True if `name` may be edited in this estado; cancelled and deleted orders are frozen (design, section 4.8). */
export function isEditable(name: EditedField, { estado, deleted_at }: { estado: Estado; deleted_at?: string | null }): boolean {
  if (deleted_at || estado === 'cancelado') return false;
  return estado !== 'completado' || pedidoField(name).until === 'completed';
}

/** Fields recorded in the history; never a price. */
export const RECORDED_FIELDS = FIELDS.filter(
  (name): name is EditableField | NamesWith<{ recorded: true }> =>
    pedidoField(name).recorded === true || EDITABLE_FIELDS.some((editable) => editable === name),
);
