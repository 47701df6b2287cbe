import type { Cliente } from '../../../contract/clientes/clientes.ts';
import { CLIENTE_FIELDS, EDITABLE_FIELDS, type EditableField, PEDIDO_FIELDS, pedidoField } from '../../../contract/pedidos/fields.ts';
import type { UpdatePedido } from '../../../contract/pedidos/pedidos.ts';
import { rulesOf } from '../../ui/form/rules.ts';

/** Form values of an order's editable fields, always text. */
export type ClienteValues = Record<EditableField, string>;

const valuesOf = (value: (name: EditableField) => string) =>
  Object.fromEntries(EDITABLE_FIELDS.map((name) => [name, value(name)])) as ClienteValues;

export const EMPTY_CLIENTE = valuesOf((name) => pedidoField(name).initial ?? '');

export const clienteFrom = (pedido: { [N in EditableField]?: string | null }): ClienteValues => valuesOf((name) => pedido[name] ?? '');

/** Form values of a new order copied from `pedido`, without the fields that are not copied. */
export const clienteCopied = (pedido: { [N in EditableField]?: string | null }): ClienteValues =>
  valuesOf((name) => (pedidoField(name).copied ? (pedido[name] ?? '') : EMPTY_CLIENTE[name]));

/** Replaces the customer's fields with a known customer's; other fields of the order stay. */
export function clienteFilled(values: ClienteValues, cliente: Cliente): ClienteValues {
  const { cliente_pais } = cliente;
  const known = Object.fromEntries(CLIENTE_FIELDS.map((name) => [name, cliente[name]]));
  return clienteFrom({ ...values, ...known, cliente_pais: cliente_pais ?? EMPTY_CLIENTE.cliente_pais });
}

type ClienteBody = Pick<UpdatePedido, EditableField>;
/** Body to send: trimmed, with null for an empty optional field. */
export function clienteBody(values: ClienteValues): ClienteBody {
  const sent = (name: EditableField) => values[name].trim() || (pedidoField(name).required === undefined ? null : '');
  return Object.fromEntries(EDITABLE_FIELDS.map((name) => [name, sent(name)])) as ClienteBody;
}

/** Rules for @mantine/form; `required` is the message for a missing field. */
export const clienteRules = (required: string) => rulesOf(PEDIDO_FIELDS, EDITABLE_FIELDS, required);
