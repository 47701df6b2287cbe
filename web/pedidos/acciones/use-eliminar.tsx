import { deletePedido, type Pedido, restorePedido } from '../../../contract/pedidos.ts';
import { useMutate } from '../../api.ts';
import { confirm } from '../../ui/confirm.tsx';
import { focusList } from '../../ui/focus-list.ts';
import { toast } from '../../ui/toast.tsx';

export type DeletedText = (pedido: Pedido) => { message: string; title?: string };
const BY_NUMBER: DeletedText = ({ numero_orden }) => ({ title: 'Pedido eliminado', message: numero_orden });

/** Time to regret a delete, in milliseconds. */
const TIME_TO_UNDO = 10_000;

/** Deletes an order after asking, and offers «Deshacer» (design, section 4.7). Resolves to whether it was deleted. */
export function useEliminar(deleted: DeletedText = BY_NUMBER) {
  const restore = useMutate(restorePedido, { failure: 'No se pudo restaurar el pedido' });
  const remove = useMutate(deletePedido, { success: false, failure: 'No se pudo eliminar el pedido' });

  return async (pedido: Pedido): Promise<boolean> => {
    const { id, numero_orden, cliente_nombre } = pedido;
    const gone = await confirm({
      title: 'Eliminar pedido',
      message: `¿Eliminar el pedido ${numero_orden} de ${cliente_nombre}? Dejará de aparecer en las listas y en las cifras.`,
      confirm: 'Eliminar',
      danger: true,
      action: () => remove.mutateAsync({ params: { id } }),
    });
    if (!gone) return false;
    focusList();
    const { message, title } = deleted(pedido);
    toast.success(message, {
      ...(title && { title }),
      autoClose: TIME_TO_UNDO,
      action: { label: 'Deshacer', undo: true, onClick: () => restore.mutate({ params: { id } }) },
    });
    return true;
  };
}
