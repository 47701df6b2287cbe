import { useState } from 'react';
import { type BareTransition, type CarrierStep, isCarrierStep, TRANSITIONS, transitionsFor } from '../../contract/pedidos.flow.ts';
import { type PedidoTransportista, setEstado } from '../../contract/pedidos.ts';
import { useMutate } from '../api.ts';
import { later } from '../lazy.ts';
import { stepMade } from '../pedidos/actions/achieved.ts';
import { useSession } from '../session/session.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import type { Opened } from './dialogs.tsx';

// Loaded when a dialog opens.
const parts = later(() => import('./dialogs.tsx'));

export type Step = { name: CarrierStep; run: () => void; busy: boolean };
/** `complete` finishes the order, `forward` advances it, `back` undoes a step. */
export type Steps = { complete?: Step; forward: Step[]; back: Step[] };

/** The next step, for the emphasised button; completing, if different; and the rest. */
export function nextOf({ forward, back, complete }: Steps) {
  // For an order out for delivery, completing comes next; a failed attempt is the exception.
  const next = forward.find(({ name }) => name === 'salir') ?? complete ?? forward[0];
  return {
    next,
    complete: complete === next ? undefined : complete,
    rest: [...forward, ...back].filter((step) => step !== next),
  };
}

/** Steps of a carrier's orders, and the dialogs for them and for the details. */
export function useSteps() {
  const actor = useSession();
  const [opened, setOpened] = useState<Opened>();
  const arrived = parts.useParts(!!opened);
  const change = useMutate(setEstado, {
    failure: 'No se pudo cambiar el estado del pedido',
    achieved: (wanted) => stepMade(actor, wanted),
  });

  function run(pedido: PedidoTransportista, name: CarrierStep) {
    if (name === 'completar') return setOpened({ kind: 'complete', pedido });
    if (name === 'fallar') return setOpened({ kind: 'fail', pedido });
    // Does not compile for a step with input: give it a dialog above.
    const bare: BareTransition = name;
    const input = { params: { id: pedido.id }, body: { estado: TRANSITIONS[bare].to, paso: bare } };
    if (name !== 'devolver') return change.mutate(input);
    void confirm({
      title: TRANSITIONS.devolver.label,
      message: `El pedido #${pedido.numero_orden} de ${pedido.cliente_nombre} dejará de ser tuyo y lo podrá tomar otro transportista.`,
      confirm: 'Devolver',
      danger: true,
      action: () => change.mutateAsync(input),
    });
  }

  function stepsOf(pedido: PedidoTransportista): Steps {
    const steps: Steps = { forward: [], back: [] };
    const busy = change.isPending && change.variables.params.id === pedido.id;
    for (const name of transitionsFor(actor, { ...pedido, revendedor_id: null }).filter(isCarrierStep)) {
      const { tone } = TRANSITIONS[name];
      const step = { name, busy, run: () => run(pedido, name) };
      if (tone === 'final') steps.complete = step;
      else (tone === 'back' ? steps.back : steps.forward).push(step);
    }
    return steps;
  }

  return {
    stepsOf,
    show: (pedido: PedidoTransportista) => setOpened({ kind: 'details', pedido }),
    dialogs: arrived && <arrived.Dialogs opened={opened} onClose={() => setOpened(undefined)} />,
  };
}
