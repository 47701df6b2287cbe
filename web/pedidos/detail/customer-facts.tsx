import { Anchor, VisuallyHidden } from '@mantine/core';
import { EDITABLE_FIELDS, type EditableField, pedidoField } from '../../../contract/pedidos/fields.ts';
import type { Pedido, PedidoDisponible } from '../../../contract/pedidos/pedidos.ts';
import { mapHref } from '../../../contract/text/address.ts';
import { callHref, telephoneWords } from '../../../contract/text/telephone.ts';
import type { Fact } from '../../ui/format/facts.tsx';
import { ClienteLink } from '../cliente/cliente-link.tsx';
import classes from './order-head.module.css';

/** Lines of the block: who, street, place. The specification's fields (section 2.16), which readers hear with their labels. */
const LINES: EditableField[][] = [
  ['cliente_nombre', 'cliente_telefono'],
  ['cliente_direccion', 'cliente_direccion2'],
  ['cliente_codigo_postal', 'cliente_ciudad', 'cliente_provincia', 'cliente_pais'],
];
const IN_BLOCK = LINES.flat();
const AFTER: Partial<Record<EditableField, string>> = { cliente_nombre: ' · ', cliente_codigo_postal: ' ' };
const isLong = (name: EditableField) => pedidoField(name).kind === 'multiline';
const SHORT = EDITABLE_FIELDS.filter((name) => !IN_BLOCK.includes(name) && !isLong(name));

/** Fields of an order that hold several lines of text, such as the instructions. */
export const LONG = EDITABLE_FIELDS.filter(isLong);

/** Order as seen by any role: fields hidden from the role are absent. */
export type PedidoVisible = PedidoDisponible & Partial<Omit<Pedido, 'lineas'>>;

type LabelOf = (name: EditableField) => string;
const labelled: LabelOf = (name) => pedidoField(name).label;

/** Recipient and address of an order in three lines: the name leads to the customer, the telephone calls, the street opens a map. */
export const Recipient = ({ pedido, labelOf = labelled }: { pedido: PedidoVisible; labelOf?: LabelOf }) => (
  <dl className={classes.block}>
    {LINES.flatMap((names) => {
      const present = names.filter((name) => pedido[name] && !(name === 'cliente_provincia' && pedido[name] === pedido.cliente_ciudad));
      return present.map((name, i) => (
        <div key={name} data-after={i === present.length - 1 ? '\n' : (AFTER[name] ?? ', ')}>
          <VisuallyHidden component="dt">{labelOf(name)}</VisuallyHidden>
          <dd>
            <Value pedido={pedido} name={name} />
          </dd>
        </div>
      ));
    })}
  </dl>
);

/** Further fields of the customer, such as the tax number. */
export const customerFacts = (pedido: PedidoVisible, labelOf = labelled): Fact[] =>
  SHORT.map((name) => [labelOf(name), pedido[name]] as const);

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
