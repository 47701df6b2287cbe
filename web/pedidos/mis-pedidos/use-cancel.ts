import { type Pedido, setEstado } from '../../../contract/pedidos/pedidos.ts';
import { type ApiError, useMutate } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { confirm } from '../../ui/dialog/confirm.ts';
import { money } from '../../ui/format/format.ts';
import { stepMade } from '../actions/achieved.ts';

/** Cancels a reseller's unpaid order after confirmation. */
export function useCancel() {
  const actor = useSession();
  const cancel = useMutate(setEstado, {
    success: 'Pedido cancelado',
    failure: 'No se pudo cancelar el pedido',
    achieved: (wanted) => stepMade(actor, wanted),
  });
  const owed = ({ pagado }: Pedido) => (pagado ? ` Hay ${money(pagado)} pagados, que habrá que reembolsar al cliente.` : '');
  return (pedido: Pedido) =>
    confirm({
      title: 'Cancelar pedido',
      message: `¿Cancelar el pedido ${pedido.numero_orden} de ${pedido.cliente_nombre}? Su enlace de pago dejará de servir y no se puede deshacer.${owed(pedido)}`,
      confirm: 'Cancelar pedido',
      cancel: 'Volver',
      danger: true,
      action: () =>
        cancel
          .mutateAsync({ params: { id: pedido.id }, body: { estado: 'cancelado', paso: 'cancelar', version: pedido.version } })
          .catch((error: ApiError) => {
            // Ignores an order that was paid, cancelled or deleted meanwhile: a retry is pointless, and the list is being refetched.
            if (error.status !== 404 && error.status !== 409) throw error;
          }),
    });
}
