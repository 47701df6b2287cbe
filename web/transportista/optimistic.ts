import type { cargarPedido } from '../../contract/etiquetas/etiquetas.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { isRefused } from '../../contract/pedidos/attempts.ts';
import type { PedidoTransportista, setEstado } from '../../contract/pedidos/pedidos.ts';
import { isComment, type Operation } from '../outbox/operation.ts';

/** An order as its carrier sees it. `optimistic`: true if changed by steps on this phone. `unsent`: time of the latest unsent step. */
export type Optimistic = PedidoTransportista & { optimistic?: true; unsent?: string };

/** Returns the orders of the last response, updated with steps that are pending or were accepted since. */
export function optimisticRows(rows: readonly PedidoTransportista[], operations: readonly Operation[]): Optimistic[] {
  const refused = new Set(operations.filter(({ state }) => state === 'rechazado').map(({ id }) => id));
  // Skips comments, and refused steps with their files, which the office handles.
  const steps = operations.filter((row) => !refused.has(row.id) && !refused.has(row.after ?? '') && !isComment(row));
  return rows.map((row) => steps.filter(({ pedido }) => pedido === row.id).reduce(withOperation, row));
}

const failedSet = ({ intentos }: Optimistic, motivo: string, at: string) => ({
  motivo,
  intento_at: at,
  intentos: intentos + 1,
  salio_at: null,
  cargado_at: null,
  aplazado_at: null,
  ...(isRefused(motivo) && { incidencia_at: at }),
});

function withOperation(row: Optimistic, { body, at, state, back }: Operation): Optimistic {
  const {
    estado = back ?? row.estado,
    paso,
    metodo_entrega,
    numero_seguimiento,
    motivo,
    cargado,
  } = body as Partial<BodyIn<typeof setEstado> & BodyIn<typeof cargarPedido>>;
  return {
    ...row,
    estado,
    optimistic: true,
    ...(state === 'pendiente' && { unsent: at }),
    ...(metodo_entrega && { metodo_entrega }),
    ...(numero_seguimiento && { numero_seguimiento }),
    // The reason of a delivery explains a missing PIN, and is no failed attempt.
    ...(paso === 'fallar' && motivo && failedSet(row, motivo, at)),
    ...(paso === 'salir' && { salio_at: at }),
    ...(back && { fecha_completado: null }),
    ...(cargado !== undefined && { cargado_at: cargado ? at : null }),
    // The carrier has collected the money.
    ...(paso === 'completar' && { por_cobrar: null, motivo: null, fecha_completado: at }),
    // The carrier has returned the order, so no step is left.
    ...(estado === 'pendiente' && { transportista_id: null }),
  };
}
