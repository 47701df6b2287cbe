import { Anchor, Group } from '@mantine/core';
import { IconMapPin, IconPhone, IconUser } from '@tabler/icons-react';
import { getPedido, isWhole, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { callHref } from '../../../contract/text/telephone.ts';
import { useApi } from '../../api.ts';
import { money } from '../../ui/format/format.ts';
import { CopyButton, copyOr } from '../../ui/page/copy-button.tsx';
import { addressOf, mapHref } from '../address.ts';
import { ClienteLink } from '../cliente/cliente-link.tsx';
import { paidWords } from '../pagos/paid.tsx';
import classes from './order-head.module.css';
import { owedWords, useOwed } from './owed.tsx';

/** Title of an open order: recipient, amount owed, and the order number in small print. `pedido` can be a row of a list. */
export function OrderTitle({ pedido: given }: { pedido: Pedido }) {
  const { data } = useApi(getPedido, { params: { id: given.id } });
  const pedido = data && isWhole(data.data) ? data.data : given;
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

/** Telephone and address in one block, to call, find on a map, or copy. */
export function OrderContact({ pedido }: { pedido: Pedido }) {
  const { cliente_id, cliente_nombre, cliente_telefono } = pedido;
  const address = addressOf(pedido);
  const copy = () =>
    copyOr([cliente_nombre, cliente_telefono, address].filter(Boolean).join('\n'), 'El navegador no ha dejado copiar los datos');
  return (
    <div>
      {cliente_telefono && (
        <Anchor size="sm" href={callHref(cliente_telefono)} className={classes.way}>
          <IconPhone size={16} aria-hidden /> {cliente_telefono}
        </Anchor>
      )}
      {address && (
        <Anchor size="sm" href={mapHref(pedido)} target="_blank" rel="noopener noreferrer" className={classes.way}>
          <IconMapPin size={16} aria-hidden /> {address}
        </Anchor>
      )}
      <Group gap="xs" mt={4}>
        <CopyButton size="xs" copy={copy}>
          Copiar
        </CopyButton>
        {cliente_id && (
          <span className={classes.person}>
            <IconUser size={16} aria-hidden /> <ClienteLink id={cliente_id}>Ver cliente</ClienteLink>
          </span>
        )}
      </Group>
    </div>
  );
}
