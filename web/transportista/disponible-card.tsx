import { Box, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { IconTruckLoading } from '@tabler/icons-react';
import type { PedidoDisponible } from '../../contract/pedidos/pedidos.ts';
import { summaryWords } from '../pedidos/summary.ts';
import { fecha } from '../ui/format/format.ts';
import { Promised } from './delivery.tsx';
import { Address, MapButton } from './place.tsx';

type Props = { pedido: PedidoDisponible; chosen: boolean; onChoose: () => void; onTake: () => void };

export function DisponibleCard({ pedido, chosen, onChoose, onTake }: Props) {
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs">
        <Checkbox size="md" py={8} label={pedido.numero_orden} checked={chosen} onChange={onChoose} />
        <Text size="sm" c="dimmed">
          {fecha(pedido.fecha_pedido)}
        </Text>
      </Group>
      <div>
        <Text fz="lg" fw={650} lh={1.25}>
          {pedido.cliente_nombre}
        </Text>
        <Address pedido={pedido} />
      </div>
      <Group justify="space-between" gap={4}>
        <Text size="sm">{summaryWords(pedido)}</Text>
        <Text size="sm" c="dimmed">
          <Promised pedido={pedido} />
        </Text>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <MapButton pedido={pedido} />
        <Box flex={1}>
          <Button
            mih={44}
            fullWidth
            leftSection={<IconTruckLoading size={18} aria-hidden />}
            aria-label={`Tomar Pedido ${pedido.numero_orden}`}
            onClick={onTake}
          >
            Tomar Pedido
          </Button>
        </Box>
      </Group>
    </Stack>
  );
}
