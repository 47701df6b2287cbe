import { duplicatePedido, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useMutate } from '../../api.ts';
import { confirm } from '../../ui/dialog/confirm.ts';

/** Duplicates an order after confirmation, because the copy takes stock. The server's message names the copy. */
export function useDuplicate() {
  const duplicate = useMutate(duplicatePedido, { failure: 'No se pudo duplicar el pedido' });
  return ({ id, numero_orden, cliente_nombre }: Pedido): Promise<boolean> =>
    confirm({
      title: 'Duplicar pedido',
      message: `Se creará un pedido nuevo para ${cliente_nombre} con lo mismo que ${numero_orden}, al precio de hoy. La copia queda sin pagar.`,
      confirm: 'Duplicar',
      action: () => duplicate.mutateAsync({ params: { id } }),
    });
}
