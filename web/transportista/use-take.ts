import { useNavigate } from '@tanstack/react-router';
import type { PedidoDisponible } from '../../contract/pedidos.ts';
import { autoAsignar } from '../../contract/transportista.ts';
import { ApiError, useMutate } from '../api.ts';
import { confirm } from '../ui/dialog/confirm.tsx';
import { toast } from '../ui/page/toast.tsx';

/** Takes an order after asking. When somebody was faster, the toast says so and the list is refetched. */
export function useTake() {
  const navigate = useNavigate();
  const { mutateAsync } = useMutate(autoAsignar, { success: false, failure: 'Error al asignar el pedido' });

  async function take({ id, numero_orden }: PedidoDisponible) {
    try {
      const { message } = await mutateAsync({ params: { id } });
      toast.success(`Pedido #${numero_orden} asignado exitosamente`, {
        title: message || 'Pedido asignado exitosamente',
        action: { label: 'Ver mis pedidos', onClick: () => void navigate({ to: '/pedidos-asignados' }) },
      });
    } catch (error) {
      // 404 or 409: somebody else has it now, so a retry is pointless.
      const gone = error instanceof ApiError && (error.status === 409 || error.status === 404);
      if (!gone) throw error;
    }
  }

  return (pedido: PedidoDisponible) =>
    void confirm({
      title: 'Tomar Pedido',
      message: `¿Deseas asignarte el pedido #${pedido.numero_orden} para el cliente ${pedido.cliente_nombre}?`,
      confirm: 'Confirmar',
      action: () => take(pedido),
    });
}
