import { Suspense, useEffect, useEffectEvent, useRef } from 'react';
import { type BareTransition, type CarrierStep, isCarrierStep, TRANSITIONS, transitionsFor } from '../../contract/pedidos/flow.ts';
import { getPedido, type PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { reversalsFor } from '../../contract/pedidos/reversals.ts';
import { type ApiError, useApi } from '../api.ts';
import type { Steps } from '../carga/steps.ts';
import { lazyPart } from '../lazy.ts';
import type { Asking } from '../pedidos/actions/actions.ts';
import { useCarrierStep } from '../pedidos/actions/use-carrier-step.ts';
import { useDialogAddress } from '../pedidos/actions/use-dialog-address.ts';
import { useSession } from '../session/session.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import { toast } from '../ui/page/toast.tsx';
import type { Opened } from './dialogs.tsx';
import type { Optimistic } from './optimistic.ts';

const Dialogs = lazyPart(() => import('./dialogs.tsx'));

const kindOf = (action: Asking): Opened['kind'] => {
  if (action.kind === 'complete') return 'complete';
  if (action.kind === 'undo') return 'undo';
  return action.kind === 'estado' && action.name === 'fallar' ? 'fail' : 'details';
};

const STEP = { complete: 'completar', fail: 'fallar' } as const;

/** True while `actor` may take an own delivery back, by this telephone's clock. */
const isRecent = ({ fecha_completado }: PedidoTransportista, minutes = 0) =>
  !!fecha_completado && Date.now() - Date.parse(fecha_completado) < minutes * 60_000;

/** Returns the order `id`, or its last known state once it has left the list. Calls `onMissing` if the order cannot be read. */
function useKnown(id: string | undefined, rows: readonly Optimistic[] | undefined, onMissing: () => void): Optimistic | undefined {
  const last = useRef<Optimistic>(undefined);
  const listed = rows?.find((row) => row.id === id);
  if (listed) last.current = listed;
  const known = last.current?.id === id ? last.current : undefined;
  const asking = !!id && !!rows && !known;
  const { data, error } = useApi(getPedido, { params: { id: id ?? '' } }, { enabled: asking });
  const missing = useEffectEvent((cause: ApiError) => {
    toast.failure(cause, 'No se pudo abrir el pedido');
    onMissing();
  });
  useEffect(() => {
    if (asking && error) missing(error);
  }, [asking, error]);
  return known ?? (data && 'cliente_telefono' in data.data ? data.data : undefined);
}

/** Returns a carrier's steps with each order of `rows`, and the dialogs for details and for steps that need input, with addresses. */
export function useSteps(rows: readonly Optimistic[] | undefined) {
  const actor = useSession();
  const { id, action, open, close } = useDialogAddress();
  const pedido = useKnown(id, rows, close);
  const possible = (pedido: PedidoTransportista) => transitionsFor(actor, { ...pedido, revendedor_id: null });
  const kind = kindOf(action);
  const isMade = (pedido: Optimistic) =>
    pedido.optimistic === true && kind in STEP && !possible(pedido).includes(STEP[kind as keyof typeof STEP]);
  const opened = pedido && { kind, pedido, made: isMade(pedido), ...(action.kind === 'undo' && { name: action.name }) };
  const { make, making } = useCarrierStep({ failure: 'No se pudo cambiar el estado del pedido' });

  function run(pedido: PedidoTransportista, name: CarrierStep) {
    if (name === 'completar') return open({ kind: 'complete' }, pedido, { instead: true });
    if (name === 'fallar') return open({ kind: 'estado', name }, pedido, { instead: true });
    // Fails to compile for a step that needs input; such a step needs a dialog above.
    const bare: BareTransition = name;
    const body = { estado: TRANSITIONS[bare].to, paso: bare };
    if (name !== 'devolver') return void make({ pedido, body });
    void confirm({
      title: TRANSITIONS.devolver.label,
      message: `El pedido #${pedido.numero_orden} de ${pedido.cliente_nombre} dejará de ser tuyo y lo podrá tomar otro transportista.`,
      confirm: 'Devolver',
      danger: true,
      action: () => make({ pedido, body }),
    });
  }

  function stepsOf(pedido: PedidoTransportista): Steps {
    const steps: Steps = { forward: [], back: [] };
    const busy = making === pedido.id;
    for (const name of possible(pedido).filter(isCarrierStep)) {
      const { tone } = TRANSITIONS[name];
      const step = { name, busy, run: () => run(pedido, name) };
      if (tone === 'final') steps.complete = step;
      else (tone === 'back' ? steps.back : steps.forward).push(step);
    }
    const facts = { ...pedido, revendedor_id: null };
    for (const name of reversalsFor(actor, facts).filter((each) => each !== 'deshacer_entrega' || isRecent(pedido, actor.deshacer)))
      steps.back.push({ name, busy, run: () => open({ kind: 'undo', name }, pedido, { instead: true }) });
    return steps;
  }

  return {
    stepsOf,
    making,
    show: (pedido: PedidoTransportista) => open({ kind: 'view' }, pedido),
    dialogs: (
      <Suspense>
        <Dialogs opened={opened} stepsOf={stepsOf} onClose={close} />
      </Suspense>
    ),
  };
}
