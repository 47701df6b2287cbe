import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { METODO_ENTREGA_LABEL } from '../../contract/pedidos.flow.ts';
import type { PedidoTransportista } from '../../contract/pedidos.ts';
import { fecha, fechaHora } from '../ui/format/format.ts';
import { TrackingLink } from '../ui/format/tracking-link.tsx';

type Props = { pedido: PedidoTransportista };

/** Expected date, or when and how the order was delivered. */
export function Entrega({ pedido }: Props) {
  if (pedido.estado !== 'completado') {
    return (
      <Text size="sm" c="dimmed">
        {pedido.fecha_estimada ? `Entrega ${fecha(pedido.fecha_estimada)}` : 'Sin fecha de entrega'}
      </Text>
    );
  }
  const { metodo_entrega: metodo, numero_seguimiento: numero, seguimiento_url } = pedido;
  return (
    <div>
      <Text size="sm">Entregado {fechaHora(pedido.fecha_completado)}</Text>
      {(metodo || numero) && (
        <Text size="xs" c="dimmed">
          {metodo && METODO_ENTREGA_LABEL[metodo]}
          {metodo && numero && ' · '}
          {numero && <TrackingLink numero={numero} url={seguimiento_url} />}
        </Text>
      )}
    </div>
  );
}

/** Why the last attempt failed, if it did. */
export function Motivo({ pedido }: Props) {
  if (!pedido.motivo) return null;
  return (
    <Text size="sm" c="orange" fw={500}>
      <IconAlertTriangle size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> Intento fallido: {pedido.motivo}
    </Text>
  );
}
