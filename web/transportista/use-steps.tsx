import { useState } from 'react';
import { type Estado, type Transition, transitionsFor } from '../../contract/pedidos.flow.ts';
import { type PedidoTransportista, setEstado } from '../../contract/pedidos.ts';
import { useMutate } from '../api.ts';
import { CompletarDialog } from '../pedidos/actions/complete-dialog.tsx';
import { useSession } from '../session/session.ts';
import { confirm } from '../ui/dialog/confirm.tsx';
import { IntentoFallidoDialog } from './failed-attempt-dialog.tsx';

export type Step = { label: string; to: Estado; back: boolean; run: () => void; busy: boolean };
/** `complete` is the one that ends it; `forward` are the others of a working day; `back` undo. */
export type Steps = { complete?: Step; forward: Step[]; back: Step[] };

const goesBack = ({ to, needs, effect }: Transition) => effect === 'release' || (to === 'asignado' && !needs);

/** What the carrier can do with each of its orders, and the dialogs in which some of it is done. */
export function useSteps() {
  const actor = useSession();
  const [completing, setCompleting] = useState<PedidoTransportista>();
  const [failing, setFailing] = useState<PedidoTransportista>();
  const change = useMutate(setEstado, { failure: 'No se pudo cambiar el estado del pedido' });

  function run(pedido: PedidoTransportista, { to, needs, effect, label }: Transition) {
    if (needs === 'metodo_entrega') return setCompleting(pedido);
    if (needs === 'motivo') return setFailing(pedido);
    const input = { params: { id: pedido.id }, body: { estado: to } };
    if (effect !== 'release') return change.mutate(input);
    void confirm({
      title: label,
      message: `El pedido #${pedido.numero_orden} de ${pedido.cliente_nombre} dejará de ser tuyo y lo podrá tomar otro transportista.`,
      confirm: 'Devolver',
      danger: true,
      action: () => change.mutateAsync(input),
    });
  }

  function stepsOf(pedido: PedidoTransportista): Steps {
    const steps: Steps = { forward: [], back: [] };
    const busy = change.isPending && change.variables.params.id === pedido.id;
    for (const t of transitionsFor(actor, { ...pedido, revendedor_id: null })) {
      const back = goesBack(t);
      const step = { label: t.label, to: t.to, back, busy, run: () => run(pedido, t) };
      if (t.to === 'completado') steps.complete = step;
      else (back ? steps.back : steps.forward).push(step);
    }
    return steps;
  }

  const dialogs = (
    <>
      <CompletarDialog pedido={completing} onClose={() => setCompleting(undefined)} />
      <IntentoFallidoDialog pedido={failing} onClose={() => setFailing(undefined)} />
    </>
  );
  return { stepsOf, dialogs };
}
