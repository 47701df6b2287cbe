import { useEffect, useState, useSyncExternalStore } from 'react';
import type { cargarPedido } from '../../contract/etiquetas.ts';
import type { BodyIn } from '../../contract/kit.ts';
import type { PedidoTransportista, setEstado } from '../../contract/pedidos.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Act } from '../outbox/store.ts';
import { outboxParts } from '../pedidos/actions/outbox-parts.ts';
import { useSession } from '../session/session.ts';

/** An order as its carrier sees it: with what was done on this telephone. `unsent`: when the last of it was done. */
export type Laid = PedidoTransportista & { unsent?: string };

const NONE: readonly Act[] = [];
const deaf = () => () => undefined;

/** What the carrier has done on this telephone and the server has not taken. */
export function useActs() {
  const actor = useSession();
  const [outbox, setOutbox] = useState<Outbox>();
  const parts = outboxParts.useParts(false);
  useEffect(() => setOutbox(parts?.outboxFor(actor)), [parts, actor]);
  const acts = useSyncExternalStore(outbox?.subscribe ?? deaf, outbox?.acts ?? (() => NONE));
  return { acts, forget: (id: string) => void outbox?.forget(id) };
}

/** Lays what is pending over what the server last said. */
export function laidOver(rows: readonly PedidoTransportista[], acts: readonly Act[]): Laid[] {
  return rows.map((row) => acts.filter(({ pedido, state }) => pedido === row.id && state === 'pendiente').reduce(laid, row));
}

function laid(row: Laid, { body, at }: Act): Laid {
  const {
    estado = row.estado,
    metodo_entrega,
    numero_seguimiento,
    motivo,
    cargado,
  } = body as Partial<BodyIn<typeof setEstado> & BodyIn<typeof cargarPedido>>;
  return {
    ...row,
    estado,
    unsent: at,
    ...(metodo_entrega && { metodo_entrega }),
    ...(numero_seguimiento && { numero_seguimiento }),
    ...(motivo && { motivo }),
    ...(cargado !== undefined && { cargado_at: cargado ? at : null }),
    // The money is in the carrier's hands.
    ...(estado === 'completado' && { por_cobrar: null }),
    // Given back: no step is left.
    ...(estado === 'pendiente' && { transportista_id: null }),
  };
}
