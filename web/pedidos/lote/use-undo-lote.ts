import { lotePedidos } from '../../../contract/pedidos.lote.ts';
import { useMutate } from '../../api.ts';
import { TIME_TO_UNDO, toast } from '../../ui/page/toast.tsx';
import { pedidos } from './use-selection.ts';

/** Says how many orders have been deleted, and offers to bring them back. */
export function useUndoLote() {
  const restore = useMutate(lotePedidos, {
    success: false,
    failure: 'No se pudieron restaurar los pedidos',
    limit: 60_000,
    onSuccess: ({ data }) => {
      const failed = data.filter(({ ok }) => !ok);
      const done = data.length - failed.length;
      if (done) toast.success(done === 1 ? '1 pedido restaurado' : `${done} pedidos restaurados`);
      for (const { numero_orden, message } of failed.slice(0, 2)) toast.error(message, { title: `No se pudo restaurar ${numero_orden}` });
    },
  });
  return (ids: string[]) =>
    toast.success(`${pedidos(ids.length)} ${ids.length === 1 ? 'eliminado' : 'eliminados'}`, {
      autoClose: TIME_TO_UNDO,
      action: {
        label: 'Deshacer',
        undo: true,
        onClick: () => restore.mutate({ body: { pedidos: { ids }, accion: { tipo: 'restaurar' } } }),
      },
    });
}
