import { ESTADO } from '../../../contract/pedidos/estados.ts';
import { TRANSITIONS } from '../../../contract/pedidos/flow.ts';
import { type Pedido, setEstado } from '../../../contract/pedidos/pedidos.ts';
import { useMutate } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { TIME_TO_UNDO, toast } from '../../ui/page/toast.tsx';
import { stepMade } from './achieved.ts';
import type { Action } from './actions.ts';

/** Steps without input, each with its inverse. */
const TAKEN_BACK_BY = { preparar: 'volver', volver: 'preparar' } as const;
type Quick = keyof typeof TAKEN_BACK_BY;
export const isQuick = (action: Action): action is { kind: 'estado'; name: Quick } =>
  action.kind === 'estado' && Object.hasOwn(TAKEN_BACK_BY, action.name);

/** Makes a quick step without confirmation and offers «Deshacer». */
export function useQuickStep() {
  const actor = useSession();
  const step = useMutate(setEstado, {
    success: false,
    failure: 'No se pudo cambiar el estado',
    achieved: (wanted) => stepMade(actor, wanted),
  });
  return (name: Quick, { id, numero_orden, version }: Pedido) => {
    const [{ to }, back] = [TRANSITIONS[name], TRANSITIONS[TAKEN_BACK_BY[name]]];
    const undo = () => step.mutate({ params: { id }, body: { estado: back.to, paso: TAKEN_BACK_BY[name] } });
    step.mutate(
      { params: { id }, body: { estado: to, paso: name, version } },
      {
        onSuccess: () =>
          toast.success(`${numero_orden}: ${ESTADO[to].label}`, {
            autoClose: TIME_TO_UNDO,
            action: { label: 'Deshacer', undo: true, onClick: undo },
          }),
      },
    );
  };
}
