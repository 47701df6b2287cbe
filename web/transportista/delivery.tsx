import { Text } from '@mantine/core';
import { IconAlertTriangle, IconCalendarTime, IconClockExclamation } from '@tabler/icons-react';
import { FINALES } from '../../contract/pedidos/estados.ts';
import { METODO_ENTREGA_LABEL } from '../../contract/pedidos/metodos.ts';
import type { PedidoDisponible, PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { useSession } from '../session/session.ts';
import { fecha, fechaHora, isoDay, money, today } from '../ui/format/format.ts';
import { TrackingLink } from '../ui/format/tracking-link.tsx';

type Props = { pedido: PedidoTransportista };

/** Promised day of an open order, marked once overdue; `short` for below a heading. */
export function Promised({ pedido: { fecha_estimada }, short = false }: { pedido: PedidoDisponible; short?: boolean }) {
  if (!fecha_estimada) return short ? '—' : 'Sin fecha de entrega';
  const words = short ? fecha(fecha_estimada) : `Entrega ${fecha(fecha_estimada)}`;
  if (isoDay(fecha_estimada) >= today()) return words;
  return (
    <Text span inherit fw={600} c="var(--mantine-color-error)">
      <IconClockExclamation size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> Atrasado: {words.toLowerCase()}
    </Text>
  );
}

export function Entrega({ pedido }: Props) {
  if (pedido.estado !== 'completado') {
    return (
      <Text c="dimmed">{FINALES.includes(pedido.estado) ? `Entrega ${fecha(pedido.fecha_estimada)}` : <Promised pedido={pedido} />}</Text>
    );
  }
  const { metodo_entrega: metodo, numero_seguimiento: numero, seguimiento_url } = pedido;
  return (
    <div>
      <Text>
        {pedido.entrega_parcial ? 'Entregado en parte' : 'Entregado'} {fechaHora(pedido.fecha_completado)}
      </Text>
      {(metodo || numero) && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {metodo && METODO_ENTREGA_LABEL[metodo]}
          {metodo && numero && ' · '}
          {numero && <TrackingLink numero={numero} url={seguimiento_url} />}
        </Text>
      )}
    </div>
  );
}

/** The amount that the customer pays at the door; where some customers pay there, also that one does not. */
export function Cobro({
  pedido: { por_cobrar, contra_reembolso },
}: {
  pedido: Pick<PedidoTransportista, 'por_cobrar' | 'contra_reembolso'>;
}) {
  const { contra_reembolso: collects } = useSession();
  if (!contra_reembolso || !por_cobrar) return collects ? <Text c="dimmed">No hay nada que cobrar</Text> : null;
  return (
    <Text fz="xl" fw={600} lh={1.25}>
      Cobrar {money(por_cobrar)}
    </Text>
  );
}

/** The customer's wish for an open delivery. */
export function Aviso({ pedido: { aviso_cliente, estado } }: Props) {
  if (!aviso_cliente || FINALES.includes(estado)) return null;
  return (
    <Text fw={600}>
      <IconCalendarTime size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> El cliente pide: {aviso_cliente}
    </Text>
  );
}

/** Warning for an order that waits for an answer. */
export function AwaitsAnswer({ pedido }: Props) {
  if (!pedido.incidencia_at) return null;
  return (
    <Text c="orange" fw={500}>
      <IconAlertTriangle size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> No lo lleves todavía
    </Text>
  );
}
