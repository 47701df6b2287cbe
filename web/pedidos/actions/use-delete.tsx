import { deletePedido, type Pedido } from '../../../contract/pedidos.ts';
import { ApiError, useMutate } from '../../api.ts';
import { focusList } from '../../ui/list/focus-list.ts';
import { TIME_TO_UNDO, toast } from '../../ui/page/toast.tsx';
import { useRestore } from './use-restore.ts';

export type DeletedText = (pedido: Pedido) => { message: string; title?: string };
const BY_NUMBER: DeletedText = ({ numero_orden }) => ({ title: 'Pedido eliminado', message: numero_orden });

/** Deletes an order without confirmation and offers «Deshacer» (design, section 4.7). Resolves to whether it was deleted. */
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
    const { id } = pedido;
    try {
      await remove.mutateAsync({ params: { id } });
    } catch (error) {
      const gone = error instanceof ApiError && error.status === 404;
      if (gone) focusList();
      return gone;
    }
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
