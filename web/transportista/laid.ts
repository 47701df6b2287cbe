import type { cargarPedido } from '../../contract/etiquetas/etiquetas.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import type { PedidoTransportista, setEstado } from '../../contract/pedidos/pedidos.ts';
import { isComment } from '../outbox/comment.ts';
import type { Act } from '../outbox/store.ts';

/** An order as its carrier sees it: with what was done on this telephone (`laid`). `unsent`: when the last was done that is not sent. */
export type Laid = PedidoTransportista & { laid?: true; unsent?: string };

/** Lays what is pending, or accepted since, over what the server last said. */
export function laidOver(rows: readonly PedidoTransportista[], acts: readonly Act[]): Laid[] {
  const steps = acts.filter((act) => act.state !== 'rechazado' && !isComment(act));
  return rows.map((row) => steps.filter(({ pedido }) => pedido === row.id).reduce(laid, row));
}

function laid(row: Laid, { body, at, state }: Act): Laid {
  const {
    estado = row.estado,
    paso,
    metodo_entrega,
    numero_seguimiento,
    motivo,
    cargado,
  } = body as Partial<BodyIn<typeof setEstado> & BodyIn<typeof cargarPedido>>;
  return {
    ...row,
    estado,
    laid: true,
    ...(state === 'pendiente' && { unsent: at }),
    ...(metodo_entrega && { metodo_entrega }),
    ...(numero_seguimiento && { numero_seguimiento }),
    // The reason of a delivery says why it has no PIN: no failed attempt.
    ...(motivo && paso === 'fallar' && { motivo }),
    ...(cargado !== undefined && { cargado_at: cargado ? at : null }),
    // The money is in the carrier's hands.
    ...(paso === 'completar' && { por_cobrar: null, motivo: null, fecha_completado: at }),
    // Given back: no step is left.
    ...(estado === 'pendiente' && { transportista_id: null }),
  };
}
