import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Pedido } from '../../../contract/pedidos.ts';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { fecha, money } from '../../ui/format/format.ts';
import { PedidoLink } from './pedido-link.tsx';
import { Cliente, Falta } from './pedidos.columns.tsx';

type Props = { pedido: Pedido; onOpen: (pedido: Pedido) => void; acciones: ReactNode; casilla?: ReactNode };

/** An order's row on a phone. */
export function PedidoCard({ pedido, onOpen, acciones, casilla }: Props) {
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="xs" mb={6}>
        <Group gap={6} wrap="nowrap">
          {casilla}
          <PedidoLink pedido={pedido} onOpen={onOpen} />
        </Group>
        <Group gap={4} wrap="nowrap">
          <EstadoBadge estado={pedido.estado} short />
          {acciones}
        </Group>
      </Group>
      <Cliente pedido={pedido} />
      <Group justify="space-between" gap="xs" mt={8} wrap="nowrap">
        <Text size="xs" c="dimmed">
          {pedido.transportista_nombre ?? <Falta>Sin asignar</Falta>} · {fecha(pedido.fecha_pedido)}
        </Text>
        <Text fw={600}>{money(pedido.precio_total)}</Text>
      </Group>
    </>
  );
}
