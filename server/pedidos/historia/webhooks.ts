import { RECORDED_FIELDS } from '../../../contract/pedidos/access.ts';
import { SISTEMA } from '../../../contract/policy/policy.ts';
import type { WebhookEvent } from '../../../contract/webhooks/fields.ts';
import type { Tx } from '../../db/open.ts';
import { isSameMetadata } from '../../kit/metadata.ts';
import { queueEvents, queueWebhooks } from '../../webhooks/queue.ts';
import { presentFull } from '../lectura/present.ts';
import type { PedidoRow } from '../lectura/row.ts';
import { type Line, linesOf } from '../lineas/lineas.ts';

/** Queues webhooks for these events of orders, in the transaction of the change. */
export async function queueWebhooksOf(tx: Tx, told: readonly { events: WebhookEvent[]; pedido: PedidoRow }[]): Promise<void> {
  const tipos = [...new Set(told.flatMap(({ events }) => events))];
  if (tipos.length === 0) return;
  const lines = await linesOf(
    tx,
    told.map(({ pedido }) => pedido.id),
  );
  await queueEvents(tx, tipos, () =>
    told.flatMap(({ events, pedido }) => {
      const content = { pedido: presentFull(SISTEMA, pedido, '', lines.get(pedido.id) ?? []) };
      return events.map((tipo) => ({ tipo, content }));
    }),
  );
}

export const queueNew = (tx: Tx, pedidos: readonly PedidoRow[], lines: ReadonlyMap<string, readonly Line[]>): Promise<void> =>
  queueWebhooks(tx, ['pedido.creado'], () => pedidos.map((pedido) => ({ pedido: presentFull(SISTEMA, pedido, '', lines.get(pedido.id)) })));

/** Returns the events of a change; deletions have none. */
export function eventsOf(before: PedidoRow | null, after: PedidoRow): WebhookEvent[] {
  if (!before) return ['pedido.creado'];
  const becomes = (estado: PedidoRow['estado']) => before.estado !== estado && after.estado === estado;
  const events: Record<Exclude<Extract<WebhookEvent, `pedido.${string}`>, 'pedido.creado' | 'pedido.modificado'>, boolean> = {
    'pedido.pagado': !isPaid(before) && isPaid(after),
    'pedido.asignado': after.transportista_id !== null && before.transportista_id !== after.transportista_id,
    'pedido.en_ruta': becomes('en_ruta'),
    'pedido.intento_fallido':
      (before.estado === 'en_ruta' && after.estado === 'asignado') || (!before.incidencia_at && !!after.incidencia_at),
    'pedido.completado': becomes('completado'),
    'pedido.cancelado': becomes('cancelado'),
    'pedido.devuelto': after.cantidad_devuelta > before.cantidad_devuelta,
  };
  const happened = (Object.keys(events) as (keyof typeof events)[]).filter((name) => events[name]);
  // `pedido.modificado` is only for changes that no other event names.
  const edited =
    before.estado === after.estado &&
    (RECORDED_FIELDS.some((field) => before[field] !== after[field]) || !isSameMetadata(before.metadata, after.metadata));
  return happened.length === 0 && edited ? ['pedido.modificado'] : happened;
}

// Checks the amount due too: an order can leave or skip `pendiente_pago` without being paid.
const isPaid = ({ estado, pendiente_cents }: PedidoRow): boolean =>
  estado !== 'pendiente_pago' && estado !== 'cancelado' && pendiente_cents === 0;
