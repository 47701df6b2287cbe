import { Text } from '@mantine/core';
import { EN_MANOS } from '../../../contract/pedidos/estados.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { TrackingLink } from '../../ui/format/tracking-link.tsx';
import { companyWords } from '../table/with-company.tsx';

/** Tracking cell (specification, section 2.15). */
export function Seguimiento({ pedido }: { pedido: Pedido }) {
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
      {companyWords(pedido) ?? wordsOf(pedido)}
    </Text>
  );
}

function wordsOf({ estado, transportista_nombre }: Pedido): string | undefined {
  if (estado === 'completado') return 'Sin seguimiento';
  if (estado === 'pendiente') return 'En espera del transportista';
  return EN_MANOS.includes(estado) ? `Lo lleva ${transportista_nombre}` : undefined;
}
