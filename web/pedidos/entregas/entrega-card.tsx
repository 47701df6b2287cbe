import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { fecha, money } from '../../ui/format/format.ts';
import { summaryWords } from '../summary.ts';
import { PedidoLink } from '../table/pedido-link.tsx';
import { Cliente } from '../table/pedidos.columns.tsx';
import { WithCompany } from '../table/with-company.tsx';
import { metodo, seguimiento } from './entregas.columns.tsx';

type Props = { pedido: Pedido; onOpen: (pedido: Pedido) => void; actions: ReactNode };

export function EntregaCard({ pedido, onOpen, actions }: Props) {
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="xs" mb={6}>
        <PedidoLink pedido={pedido} onOpen={onOpen} />
        <EstadoBadge estado={pedido.estado} short />
      </Group>
      <WithCompany pedido={pedido} />
      <Cliente pedido={pedido} />
      <Text size="sm" mt={6}>
        {summaryWords(pedido)}
      </Text>
      <Text size="xs" c="dimmed">
        Entrega: {metodo(pedido)} · Seguimiento: {seguimiento(pedido)}
      </Text>
      <Group justify="space-between" gap="xs" mt={4} wrap="nowrap">
        <Text size="sm" c="dimmed">
          {fecha(pedido.fecha_pedido)} ·{' '}
          <Text span inherit fw={600} c="var(--mantine-color-text)">
            {money(pedido.precio_total)}
          </Text>
        </Text>
        {actions}
      </Group>
    </>
  );
}
