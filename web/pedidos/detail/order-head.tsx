import { Anchor, Group, Text } from '@mantine/core';
import { IconMapPin, IconPhone } from '@tabler/icons-react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { callHref } from '../../../contract/text/telephone.ts';
import { money } from '../../ui/format/format.ts';
import { CopyButton, copyOr } from '../../ui/page/copy-button.tsx';
import { addressOf, mapHref } from '../address.ts';
import { ClienteLink } from '../cliente/cliente-link.tsx';
import { paidWords } from '../pagos/paid.tsx';
import classes from './order-head.module.css';
import { owedWords } from './owed.tsx';

type Props = {
  pedido: Pedido;
  /** In euros: what is to be collected, and what is to be paid back. */
  due: number;
  back: number;
};

/** Who an order is for and how much is owed; telephone and address as one block to call, find on a map, or copy. */
export function OrderHead({ pedido, due, back }: Props) {
  const { cliente_id, cliente_nombre, cliente_telefono, precio_total } = pedido;
  const address = addressOf(pedido);
  const copy = () =>
    copyOr([cliente_nombre, cliente_telefono, address].filter(Boolean).join('\n'), 'El navegador no ha dejado copiar los datos');
  const owed = owedWords(due, back) || [money(precio_total), paidWords(pedido)?.toLowerCase()].filter(Boolean).join(', ');
  return (
    <div>
      <Text component="p" m={0} fw={700} size="lg" className={classes.who}>
        <ClienteLink id={cliente_id}>{cliente_nombre}</ClienteLink> · {owed}
      </Text>
      <Group gap="0.25rem 1rem" mt={2}>
        {cliente_telefono && (
          <Anchor size="sm" href={callHref(cliente_telefono)} className={classes.way}>
            <IconPhone size={14} aria-hidden /> {cliente_telefono}
          </Anchor>
        )}
        {address && (
          <Anchor size="sm" href={mapHref(pedido)} target="_blank" rel="noopener noreferrer" className={classes.way}>
            <IconMapPin size={14} aria-hidden /> {address}
          </Anchor>
        )}
        <CopyButton size="xs" copy={copy}>
          Copiar
        </CopyButton>
      </Group>
    </div>
  );
}
