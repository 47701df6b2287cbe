import { EDITABLE_FIELDS, type EditableField, PEDIDO_FIELDS, pedidoField } from '../../contract/pedidos.fields.ts';
import type { UpdatePedido } from '../../contract/pedidos.ts';
import { rulesOf } from '../ui/form/rules.ts';

/** What the fields of an order's form hold: always text. */
export type ClienteValues = Record<EditableField, string>;

const valuesOf = (value: (name: EditableField) => string) =>
  Object.fromEntries(EDITABLE_FIELDS.map((name) => [name, value(name)])) as ClienteValues;

export const EMPTY_CLIENTE = valuesOf((name) => pedidoField(name).initial ?? '');

/** The form's values of an existing order. */
export const clienteFrom = (pedido: { [N in EditableField]?: string | null }): ClienteValues => valuesOf((name) => pedido[name] ?? '');

type ClienteBody = Pick<UpdatePedido, EditableField>;
/** What is sent: trimmed, and null for an optional field left empty. */
export function clienteBody(values: ClienteValues): ClienteBody {
  const sent = (name: EditableField) => values[name].trim() || (pedidoField(name).required === undefined ? null : '');
  return Object.fromEntries(EDITABLE_FIELDS.map((name) => [name, sent(name)])) as ClienteBody;
}

/** Rules of @mantine/form; `required` is what this form says under a field that is missing. */
export const clienteRules = (required: string) => rulesOf(PEDIDO_FIELDS, EDITABLE_FIELDS, required);
