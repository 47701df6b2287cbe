import { Anchor } from '@mantine/core';
import { EDITABLE_FIELDS, type EditableField, pedidoField } from '../../../contract/pedidos/fields.ts';
import type { Pedido, PedidoDisponible } from '../../../contract/pedidos/pedidos.ts';
import { mapHref } from '../../../contract/text/address.ts';
import { callHref, telephoneWords } from '../../../contract/text/telephone.ts';
import { type Fact, WIDE } from '../../ui/format/facts.tsx';
import { ClienteLink } from '../cliente/cliente-link.tsx';

// In the order of the specification (section 2.16); other editable fields follow.
const FIRST: EditableField[] = [
  'cliente_nombre',
  'cliente_telefono',
  'cliente_direccion',
  'cliente_direccion2',
  'cliente_ciudad',
  'cliente_provincia',
  'cliente_codigo_postal',
  'cliente_pais',
];
const isLong = (name: EditableField) => pedidoField(name).kind === 'multiline';
const SHORT = [...FIRST, ...EDITABLE_FIELDS.filter((name) => !FIRST.includes(name) && !isLong(name))];

/** Fields of an order that hold several lines of text, such as the instructions. */
export const LONG = EDITABLE_FIELDS.filter(isLong);

/** Order as seen by any role: fields hidden from the role are absent. */
export type PedidoVisible = PedidoDisponible & Partial<Omit<Pedido, 'lineas'>>;

/** Customer and address of an order: the name leads to the customer, the telephone calls, the street opens a map. */
export const customerFacts = (pedido: PedidoVisible, labelOf = (name: EditableField) => pedidoField(name).label): Fact[] =>
  SHORT.map(
    (name) =>
      [
        labelOf(name),
        <Value key={name} pedido={pedido} name={name} />,
        name === 'cliente_nombre' || name === 'cliente_direccion' ? WIDE : undefined,
      ] as const,
  )
    // A component is never empty, so facts without a value are left out here.
    .filter((_, i) => pedido[SHORT[i] as EditableField]);

function Value({ pedido, name }: { pedido: PedidoVisible; name: EditableField }) {
  const value = pedido[name] ?? '';
  if (name === 'cliente_nombre') return <ClienteLink id={pedido.cliente_id}>{value}</ClienteLink>;
  if (name === 'cliente_telefono')
    return (
      <Anchor inherit href={callHref(value, pedido.cliente_pais)}>
        {telephoneWords(value)}
      </Anchor>
    );
  if (name !== 'cliente_direccion') return value;
  return (
    <Anchor inherit href={mapHref(pedido)} target="_blank" rel="noopener noreferrer">
      {value}
    </Anchor>
  );
}
