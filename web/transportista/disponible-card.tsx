import { Button, Group, Stack, Text } from '@mantine/core';
import { IconTruckLoading } from '@tabler/icons-react';
import type { PedidoDisponible } from '../../contract/pedidos.ts';
import { fecha, number } from '../ui/format/format.ts';
import { Address, MapButton } from './place.tsx';

/** Available order as a card on a phone. */
export function DisponibleCard({ pedido, onTake }: { pedido: PedidoDisponible; onTake: () => void }) {
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {pedido.numero_orden}
        </Text>
        <Text size="sm" c="dimmed">
          {fecha(pedido.fecha_pedido)}
        </Text>
      </Group>
      <div>
        <Text fz="xl" fw={650} lh={1.3}>
          {pedido.cliente_nombre}
        </Text>
        <Address pedido={pedido} large />
      </div>
      <Text size="sm">
        {number(pedido.cantidad)} × {pedido.producto}
        {pedido.fecha_estimada && (
          <Text span c="dimmed">
            {' '}
            · Entrega {fecha(pedido.fecha_estimada)}
          </Text>
        )}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <MapButton pedido={pedido} />
        <Button mih={44} fullWidth leftSection={<IconTruckLoading size={18} aria-hidden />} onClick={onTake}>
          Tomar Pedido
        </Button>
      </Group>
    </Stack>
  );
}
