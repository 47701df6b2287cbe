import { lotePedidos } from '../../../contract/pedidos.lote.ts';
import { useMutate } from '../../api.ts';
import { TIME_TO_UNDO, toast } from '../../ui/page/toast.tsx';
import { pedidos } from '../table/use-selection.ts';

type Undoable = { undo: 'restaurar' | 'volver'; done: readonly [one: string, many: string]; undone: readonly [one: string, many: string] };
/** Actions with an inverse, which need no confirmation. */
const UNDO = {
  eliminar: { undo: 'restaurar', done: ['eliminado', 'eliminados'], undone: ['restaurado', 'restaurados'] },
  preparar: { undo: 'volver', done: ['en proceso', 'en proceso'], undone: ['asignado otra vez', 'asignados otra vez'] },
} as const satisfies Record<string, Undoable>;
const isUndoable = (tipo: string): tipo is keyof typeof UNDO => tipo in UNDO;

/** Returns a function that reports the number of changed orders with an undo; it returns false if the action has no inverse. */
export function useUndoLote() {
  const back = useMutate(lotePedidos, {
    success: false,
    failure: 'No se pudo deshacer',
    limit: 60_000,
    onSuccess: ({ data }, { body: { accion } }) => {
      const [one, many] = accion.tipo === 'restaurar' ? UNDO.eliminar.undone : UNDO.preparar.undone;
      const failed = data.filter(({ ok }) => !ok);
      const n = data.length - failed.length;
      if (n) toast.success(`${pedidos(n)} ${n === 1 ? one : many}`);
      for (const { numero_orden, message } of failed.slice(0, 2)) toast.error(message, { title: `No se pudo deshacer en ${numero_orden}` });
    },
  });
  return (tipo: string, ids: string[]): boolean => {
    if (!isUndoable(tipo)) return false;
    const { undo, done } = UNDO[tipo];
    const onClick = () => back.mutate({ body: { pedidos: { ids }, accion: { tipo: undo } } });
    if (ids.length)
      toast.success(`${pedidos(ids.length)} ${done[ids.length === 1 ? 0 : 1]}`, {
        autoClose: TIME_TO_UNDO,
        action: { label: 'Deshacer', undo: true, onClick },
      });
    return true;
  };
}
