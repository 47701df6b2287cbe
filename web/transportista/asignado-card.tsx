import { Box, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { PedidoTransportista } from '../../contract/pedidos.ts';
import { EstadoBadge } from '../ui/format/estado-badge.tsx';
import { number } from '../ui/format/format.ts';
import { Entrega, Motivo } from './delivery.tsx';
import { Address, CallButton, MapButton } from './place.tsx';
import { MoreMenu, StepButton } from './step-buttons.tsx';
import type { Steps } from './use-steps.tsx';

type Props = { pedido: PedidoTransportista; steps: Steps; onDetails: () => void };

/** Assigned order on a phone, for one-handed use: customer, address, call, map and next steps. */
export function AsignadoCard({ pedido, steps, onDetails }: Props) {
  const { forward, back, complete } = steps;
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {pedido.numero_orden}
        </Text>
        <EstadoBadge estado={pedido.estado} />
      </Group>
      <div>
        <Text fz="xl" fw={650} lh={1.3}>
          {pedido.cliente_nombre}
        </Text>
        <Address pedido={pedido} large />
      </div>
      {pedido.franja_horaria && (
        <Text size="sm">
          Entregar: <strong>{pedido.franja_horaria}</strong>
        </Text>
      )}
      {pedido.instrucciones && (
        <Text size="sm" lineClamp={2}>
          «{pedido.instrucciones}»
        </Text>
      )}
      <Motivo pedido={pedido} />
      <Group justify="space-between" gap="xs" align="flex-start">
        <Text size="sm">
          {number(pedido.cantidad)} × {pedido.producto}
        </Text>
        <Entrega pedido={pedido} />
      </Group>
      <Group gap="xs" wrap="nowrap">
        {pedido.cliente_telefono && <CallButton phone={pedido.cliente_telefono} name={pedido.cliente_nombre} />}
        <MapButton pedido={pedido} />
        <Box flex="none">
          <MoreMenu name={pedido.numero_orden} steps={back} onDetails={onDetails} thumb />
        </Box>
      </Group>
      {forward.length > 0 && (
        <SimpleGrid cols={forward.length} spacing="xs">
          {forward.map((step) => (
            <StepButton key={step.name} step={step} thumb icon={forward.length === 1} />
          ))}
        </SimpleGrid>
      )}
      {complete && <StepButton step={complete} thumb main />}
    </Stack>
  );
}
