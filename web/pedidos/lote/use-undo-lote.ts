import type { BodyIn } from '../../../contract/kit/endpoint.ts';
import { lotePedidos } from '../../../contract/pedidos/lote.ts';
import { METODOS_ENTREGA } from '../../../contract/pedidos/metodos.ts';
import { useMutate } from '../../api.ts';
import { TIME_TO_UNDO, toast } from '../../ui/page/toast.tsx';
import { type Chosen, pedidos } from '../table/use-selection.ts';

type Accion = BodyIn<typeof lotePedidos>['accion'];
type Undo = { ids: string[]; accion: Accion };
type Context = {
  /** Chosen orders before the action; empty if chosen by filter. */
  before: readonly Chosen[];
  /** Name of the new carrier. */
  carrier: string | undefined;
};

const UNDONE: Partial<Record<Accion['tipo'], readonly [one: string, many: string]>> = {
  restaurar: ['restaurado', 'restaurados'],
  volver: ['asignado otra vez', 'asignados otra vez'],
  asignar: ['como antes', 'como antes'],
};

/** Spanish words for the change, and the actions that undo it; undefined for an action without inverse. */
function inverseOf(accion: Accion, ids: string[], { before, carrier }: Context): { done: string; undo: Undo[] } | undefined {
  const one = ids.length === 1;
  switch (accion.tipo) {
    case 'eliminar':
      return { done: one ? 'eliminado' : 'eliminados', undo: [{ ids, accion: { tipo: 'restaurar' } }] };
    case 'preparar':
      return { done: 'en proceso', undo: [{ ids, accion: { tipo: 'volver' } }] };
    case 'asignar':
      return { done: carrier ? `para ${carrier}` : 'sin asignar', undo: backToCarriers(accion, ids, before) };
    default:
      return undefined;
  }
}

/** Returns one action for each former carrier and company; none unless all former carriers are known. */
function backToCarriers(accion: Extract<Accion, { tipo: 'asignar' }>, ids: string[], before: readonly Chosen[]): Undo[] {
  const groups = new Map<string, Undo>();
  for (const id of ids) {
    const was = before.find((row) => row.id === id);
    if (was?.transportista_id === undefined) return [];
    const company = METODOS_ENTREGA.find((method) => method === was.empresa_transporte) ?? null;
    const empresa_transporte = accion.empresa_transporte ? company : null;
    const key = `${was.transportista_id} ${empresa_transporte}`;
    const group: Undo = groups.get(key) ?? {
      ids: [],
      accion: { tipo: 'asignar', transportista_id: was.transportista_id, empresa_transporte },
    };
    group.ids.push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Returns a function that offers an undo in a toast; false without an inverse, and the undo itself if only `some` changed. */
export function useUndoLote() {
  const back = useMutate(lotePedidos, { success: false, failure: 'No se pudo deshacer', limit: 60_000 });

  async function undoAll(undo: Undo[]) {
    for (const { ids, accion } of undo) {
      const { data } = await back.mutateAsync({ body: { pedidos: { ids }, accion } });
      const failed = data.filter(({ ok }) => !ok);
      const n = data.length - failed.length;
      const [one, many] = UNDONE[accion.tipo] ?? ['como antes', 'como antes'];
      if (n) toast.success(`${pedidos(n)} ${n === 1 ? one : many}`);
      for (const { numero_orden, message } of failed.slice(0, 2)) toast.error(message, { title: `No se pudo deshacer en ${numero_orden}` });
    }
  }

  return (accion: Accion, ids: string[], context: Context, some: boolean): boolean | (() => void) => {
    const inverse = inverseOf(accion, ids, context);
    if (!inverse) return false;
    const { done, undo } = inverse;
    // The mutation has already reported the failure in a toast.
    const onClick = () => void undoAll(undo).catch(() => undefined);
    if (some) return ids.length > 0 && undo.length > 0 && onClick;
    if (ids.length)
      toast.success(`${pedidos(ids.length)} ${done}`, {
        ...(undo.length && { autoClose: TIME_TO_UNDO, action: { label: 'Deshacer', undo: true, onClick } }),
      });
    return true;
  };
}
