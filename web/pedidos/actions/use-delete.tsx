import { deletePedido, type Pedido } from '../../../contract/pedidos.ts';
import { type ApiError, useMutate } from '../../api.ts';
import { confirm } from '../../ui/dialog/confirm.tsx';
import { focusList } from '../../ui/list/focus-list.ts';
import { TIME_TO_UNDO, toast } from '../../ui/page/toast.tsx';
import { useRestore } from '../use-restore.ts';

export type DeletedText = (pedido: Pedido) => { message: string; title?: string };
const BY_NUMBER: DeletedText = ({ numero_orden }) => ({ title: 'Pedido eliminado', message: numero_orden });

/** Deletes an order after asking, and offers «Deshacer» (design, section 4.7). Resolves to whether it is gone. */
export function useDelete(deleted: DeletedText = BY_NUMBER) {
  const restore = useRestore();
  const remove = useMutate(deletePedido, {
    success: false,
    failure: false,
    onError: (error) => {
      if (error.status === 404) toast.info('Otra persona ya había eliminado este pedido');
      else toast.failure(error, 'No se pudo eliminar el pedido');
    },
  });

  return async (pedido: Pedido): Promise<boolean> => {
    const { id, numero_orden, cliente_nombre } = pedido;
    let mine = true;
    const gone = await confirm({
      title: 'Eliminar pedido',
      message: `¿Eliminar el pedido ${numero_orden} de ${cliente_nombre}? Dejará de aparecer en las listas y en las cifras.`,
      confirm: 'Eliminar',
      danger: true,
      action: () =>
        remove.mutateAsync({ params: { id } }).catch((error: ApiError) => {
          if (error.status !== 404) throw error;
          mine = false;
        }),
    });
    if (!gone) return false;
    focusList();
    if (!mine) return true;
    const { message, title } = deleted(pedido);
    toast.success(message, {
      ...(title && { title }),
      autoClose: TIME_TO_UNDO,
      action: { label: 'Deshacer', undo: true, onClick: () => restore.mutate({ params: { id } }) },
    });
    return true;
  };
}
