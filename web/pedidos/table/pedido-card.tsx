import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { fecha, money } from '../../ui/format/format.ts';
import { Paid } from '../pagos/paid.tsx';
import { Matter } from './matter.tsx';
import { PedidoLink } from './pedido-link.tsx';
import { Cliente, Missing } from './pedidos.columns.tsx';
import { companyWords } from './with-company.tsx';

type Props = { pedido: Pedido; onOpen: (pedido: Pedido) => void; actions: ReactNode; tick?: ReactNode; matter?: ReactNode };

export const PedidoCard = ({ pedido, onOpen, actions, tick, matter }: Props) => (
  <>
    <Group justify="space-between" wrap="nowrap" mb={6}>
      <Group gap={6} wrap="nowrap">
        {tick}
        <PedidoLink pedido={pedido} onOpen={onOpen} />
      </Group>
      <Group gap={4} wrap="nowrap">
        <EstadoBadge estado={pedido.estado} short />
        {actions}
      </Group>
    </Group>
    <Cliente pedido={pedido} />
    {matter ?? <Matter pedido={pedido} />}
    <Group justify="space-between" mt={8} wrap="nowrap">
      <Text size="xs" c="dimmed">
        {companyWords(pedido) ?? pedido.transportista_nombre ?? <Missing>Sin asignar</Missing>} · {fecha(pedido.fecha_pedido)}
      </Text>
      <div style={{ textAlign: 'right' }}>
        <Text size="md" fw={600}>
          {money(pedido.precio_total)}
        </Text>
        <Paid pedido={pedido} />
      </div>
    </Group>
  </>
);
