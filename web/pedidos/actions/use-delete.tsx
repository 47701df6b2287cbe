import { deletePedido, type Pedido, restorePedido } from '../../../contract/pedidos/pedidos.ts';
import { ApiError, useMutate } from '../../api.ts';
import { confirm } from '../../ui/dialog/confirm.ts';
import { focusList } from '../../ui/list/focus-list.ts';
import { TIME_TO_UNDO, toast } from '../../ui/page/toast.tsx';
import { RefundDue } from '../pagos/refund-due.tsx';

export type DeletedText = (pedido: Pedido) => { message: string; title?: string };
const BY_NUMBER: DeletedText = ({ numero_orden }) => ({ title: 'Pedido eliminado', message: numero_orden });

type Options = {
  deleted?: DeletedText | undefined;
  /** True if the screen confirms before deleting (specification, section 2.11). A paid order is confirmed always. */
  asks?: boolean | undefined;
};

/** Deletes an order and offers «Deshacer» (design, section 4.7). Resolves to true if the order is deleted. */
export function useDelete({ deleted = BY_NUMBER, asks = false }: Options) {
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
    const { id, numero_orden, cliente_nombre, pagado, reembolsado } = pedido;
    const back = pagado - reembolsado;
    const question = {
      title: 'Eliminar pedido',
      message: (
        <>
          ¿Eliminar el pedido {numero_orden} de {cliente_nombre}? Podrás deshacerlo.
          <RefundDue paid={back > 0 ? 1 : 0} amount={back} />
        </>
      ),
      confirm: 'Eliminar',
      danger: true,
    };
    if ((asks || back > 0) && !(await confirm(question))) return false;
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

export const useRestore = () => useMutate(restorePedido, { failure: 'No se pudo restaurar el pedido' });
