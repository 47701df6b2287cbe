import { cargarPedido } from '../../contract/etiquetas/etiquetas.ts';
import { addressOf } from '../../contract/kit/address.ts';
import { TRANSITIONS } from '../../contract/pedidos/flow.ts';
import type { PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { ApiError } from '../api.ts';
import type { Result } from '../outbox/outbox.ts';
import { outboxFor, reportFault, storeStep, storeUndo } from '../pedidos/actions/outbox.ts';
import { notStored } from '../pedidos/actions/use-carrier-step.ts';
import { useSession } from '../session/session.ts';
import { toast } from '../ui/page/toast.tsx';

/** Loads orders and sends them out through this phone's outbox, so that both work in a garage without coverage. */
export function useLoad() {
  const actor = useSession();
  const failed = (error: unknown) => notStored(error, 'No se pudo cambiar el pedido');

  function load(pedido: PedidoTransportista, cargado = true): void {
    const at = new Date().toISOString();
    const [label, path] = [cargado ? 'Cargar' : 'Quitar de la carga', addressOf(cargarPedido.path, { params: pedido })];
    const operation = { pedido: pedido.id, numero: pedido.numero_orden, label, method: cargarPedido.method, path, at };
    outboxFor(actor)
      .add({ ...operation, body: { cargado, ocurrido: at } })
      .then(reportRefusal, failed);
  }

  const body = { estado: TRANSITIONS.salir.to, paso: 'salir' } as const;
  const goOut = (pedidos: readonly PedidoTransportista[]) =>
    Promise.all(pedidos.map((pedido) => storeStep(actor, { pedido, body }).then(reportRefusal, failed)));

  /** Takes the departure of these orders back. */
  const comeBack = (pedidos: readonly PedidoTransportista[]) =>
    Promise.all(
      pedidos.map((pedido) =>
        storeUndo(actor, { pedido, name: 'volver_de_ruta', motivo: 'No ha salido', back: pedido.estado }).then(
          (result) => result.kind !== 'gone' && reportRefusal(result),
          failed,
        ),
      ),
    );

  return { load, goOut, comeBack };
}

function reportRefusal(result: Result): void {
  if (result.kind === 'refused' && result.error instanceof ApiError) toast.failure(result.error);
  if (result.kind === 'faulty') reportFault(result.reason);
}
