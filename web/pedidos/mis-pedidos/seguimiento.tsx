import { Text } from '@mantine/core';
import type { Pedido } from '../../../contract/pedidos.ts';

/** The tracking cell (specification, section 2.15). */
export function Seguimiento({ pedido }: { pedido: Pick<Pedido, 'estado' | 'numero_seguimiento'> }) {
  if (pedido.estado === 'completado' && pedido.numero_seguimiento) {
    return (
      <div>
        <Text size="xs" c="dimmed">
          Núm. seguimiento
        </Text>
        <span>{pedido.numero_seguimiento}</span>
      </div>
    );
  }
  return (
    <Text component="span" size="sm" c="dimmed">
      {pedido.estado === 'completado' ? 'Sin seguimiento' : 'En espera del transportista'}
    </Text>
  );
}
