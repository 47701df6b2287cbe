import { Group, Stack, Text } from '@mantine/core';
import { getCliente } from '../../../contract/clientes/clientes.ts';
import { type EditableField, pedidoField } from '../../../contract/pedidos/fields.ts';
import { getPedido, isWhole, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { addressLine } from '../../../contract/text/address.ts';
import { useApi } from '../../api.ts';
import { FactList, WIDE } from '../../ui/format/facts.tsx';
import { fecha, money, number } from '../../ui/format/format.ts';
import { CopyButton, copyOr } from '../../ui/page/copy-button.tsx';
import { Lejos } from '../../zonas/lejos.tsx';
import { CustomerMessage } from '../actions/customer-message.tsx';
import { SaidOfCliente } from '../cliente/said.tsx';
import { paidWords } from '../pagos/paid.tsx';
import { customerFacts, LONG, Recipient } from './customer-facts.tsx';
import classes from './order-head.module.css';
import { owedWords, useOwed } from './owed.ts';

/** Title of an open order: recipient, amount owed, and the order number in small print. `pedido` can be a row of a list. */
export function OrderTitle({ pedido: row }: { pedido: Pedido }) {
  const { data } = useApi(getPedido, { params: { id: row.id } });
  const pedido = data && isWhole(data.data) ? data.data : row;
  const { due, back } = useOwed(pedido);
  const owed = owedWords(due, back) || [money(pedido.precio_total), paidWords(pedido)?.toLowerCase()].filter(Boolean).join(', ');
  return (
    <>
      <span className={classes.who}>
        {pedido.cliente_nombre} · {owed}
      </span>{' '}
      <span className={classes.number}>Pedido {pedido.numero_orden}</span>
    </>
  );
}

const formLabel = (name: EditableField) => pedidoField(name).formLabel ?? pedidoField(name).label;

/** Recipient, address and instructions, to call, find on a map, or copy. */
export function OrderContact({ pedido }: { pedido: Pedido }) {
  const copy = () =>
    copyOr(
      [pedido.cliente_nombre, pedido.cliente_telefono, addressLine(pedido)].filter(Boolean).join('\n'),
      'El navegador no ha dejado copiar los datos',
    );
  return (
    <Stack gap="xs">
      <Recipient pedido={pedido} labelOf={formLabel} />
      <Past of={pedido.cliente_id} />
      <FactList of={[...customerFacts(pedido, formLabel), ...LONG.map((name) => [formLabel(name), pedido[name], WIDE] as const)]} />
      <Lejos address={pedido} />
      <SaidOfCliente nota={pedido.cliente_nota} avisar_antes={pedido.avisar_antes} />
      <Group>
        <CopyButton size="xs" copy={copy}>
          Copiar
        </CopyButton>
        <CustomerMessage pedido={pedido} small />
      </Group>
    </Stack>
  );
}

/** What the customer has ordered so far, in a line; nothing for a first order. */
function Past({ of: id }: { of: string | null | undefined }) {
  const { data } = useApi(getCliente, { params: { id: id ?? '' } }, { enabled: !!id });
  if (!data || data.data.pedidos < 2) return null;
  const { pedidos, total, ultimo_pedido } = data.data;
  return (
    <Text variant="detail">
      {[`${number(pedidos)} pedidos`, total !== undefined && money(total), ultimo_pedido && `el último, el ${fecha(ultimo_pedido)}`]
        .filter(Boolean)
        .join(' · ')}
    </Text>
  );
}
