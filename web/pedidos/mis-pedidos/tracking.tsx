import { Text } from '@mantine/core';
import type { Pedido } from '../../../contract/pedidos.ts';
import { TrackingLink } from '../../ui/format/tracking-link.tsx';

/** Tracking cell (specification, section 2.15). */
export function Seguimiento({ pedido }: { pedido: Pick<Pedido, 'estado' | 'numero_seguimiento' | 'seguimiento_url'> }) {
  if (pedido.estado === 'completado' && pedido.numero_seguimiento) {
    return (
      <div>
        <Text size="xs" c="dimmed">
          Núm. seguimiento
        </Text>
        <TrackingLink numero={pedido.numero_seguimiento} url={pedido.seguimiento_url} />
      </div>
    );
  }
  return (
    <Text component="span" size="sm" c="dimmed">
      {pedido.estado === 'completado' ? 'Sin seguimiento' : 'En espera del transportista'}
    </Text>
  );
}
