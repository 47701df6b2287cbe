import { cargarPedido } from '../../contract/etiquetas/etiquetas.ts';
import { TRANSITIONS } from '../../contract/pedidos/flow.ts';
import type { PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { ApiError } from '../api.ts';
import type { Result } from '../outbox/outbox.ts';
import { outboxFor, sayFault, storeStep } from '../pedidos/actions/outbox.ts';
import { useSession } from '../session/session.ts';
import { toast } from '../ui/page/toast.tsx';

/** Loads orders and sends them out through this phone's outbox, so that both work in a garage without coverage. */
export function useLoad() {
  const actor = useSession();

  async function load({ id, numero_orden }: PedidoTransportista, cargado: boolean): Promise<void> {
    const at = new Date().toISOString();
    const outbox = outboxFor(actor);
    tellRefusal(
      await outbox.add({
        pedido: id,
        numero: numero_orden,
        label: cargado ? 'Cargar' : 'Quitar de la carga',
        method: cargarPedido.method,
        path: cargarPedido.path.replace(':id', id),
        body: { cargado, ocurrido: at },
        at,
      }),
    );
  }

  const goOut = (pedidos: readonly PedidoTransportista[]) =>
    Promise.all(
      pedidos.map(async (pedido) => tellRefusal(await storeStep(actor, { pedido, body: { estado: TRANSITIONS.salir.to, paso: 'salir' } }))),
    );

  return {
    load: (pedido: PedidoTransportista, cargado = true) => void load(pedido, cargado).catch(tellUnstored),
    goOut: (pedidos: readonly PedidoTransportista[]) => goOut(pedidos).catch(tellUnstored),
  };
}

function tellRefusal(result: Result): void {
  if (result.kind === 'refused' && result.error instanceof ApiError) toast.failure(result.error);
  if (result.kind === 'faulty') sayFault(result.reason);
}

const tellUnstored = (error: unknown): void =>
  toast.error(error instanceof Error && error.name === 'StoreFull' ? error.message : 'Este teléfono no puede guardar lo que haces');
