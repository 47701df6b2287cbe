import { useNavigate } from '@tanstack/react-router';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { sacarDeEnvio } from '../../../contract/envios/envios.ts';
import { ESTADO } from '../../../contract/pedidos/estados.ts';
import { TRANSITIONS } from '../../../contract/pedidos/flow.ts';
import { duplicatePedido, getPedido, isWhole, type Pedido, setEstado } from '../../../contract/pedidos/pedidos.ts';
import type { Paso } from '../../../contract/pedidos/situations.ts';
import { ApiError, call, NO_CONNECTION, useMutate } from '../../api.ts';
import { labelHref } from '../../etiquetas/label-href.ts';
import { useLoadedWhenIdle } from '../../lazy.ts';
import { useSession } from '../../session/session.ts';
import { afterPaint } from '../../ui/after-paint.ts';
import { confirm } from '../../ui/dialog/confirm.ts';
import { focusList } from '../../ui/list/focus-list.ts';
import { TIME_TO_UNDO, toast } from '../../ui/page/toast.tsx';
import { stepMade } from '../actions/achieved.ts';
import { type Action, type Asking, type PedidoDialogProps, stepAction } from '../actions/actions.ts';
import { type DeletedText, useDelete, useRestore } from '../actions/use-delete.tsx';
import { useDialogAddress } from '../actions/use-dialog-address.ts';
import { whatsappAddress } from '../pagos/payment-link.ts';
import { printHref } from '../print/print.ts';

type PedidoDialog = ComponentType<PedidoDialogProps>;

// Loads each dialog in a separate chunk, so that the list does not wait for the dialogs.
const pedidoDialog = () => import('./pedido-dialog.tsx').then((m) => m.PedidoDialog);
const DIALOGS: Record<Asking['kind'], () => Promise<PedidoDialog>> = {
  view: pedidoDialog,
  edit: pedidoDialog,
  lineas: () => import('../lineas/lineas-dialog.tsx').then((m) => m.default),
  postpone: () => import('../actions/postpone-dialog.tsx').then((m) => m.PostponeDialog),
  assign: () => import('../actions/assign-dialog.tsx').then((m) => m.AssignDialog),
  estado: () => import('../actions/transition-dialog.tsx').then((m) => m.EstadoDialog),
  pay: () => import('../actions/pay-dialog.tsx').then((m) => m.PayDialog),
  separate: () => import('../actions/separate-dialog.tsx').then((m) => m.SeparateDialog),
  complete: () => import('../actions/complete-dialog.tsx').then((m) => m.CompleteDialog),
  undo: () => import('../actions/undo-dialog.tsx').then((m) => m.UndoDialog),
  answer: () => import('../actions/answer-dialog.tsx').then((m) => m.default),
  receive: () => import('../actions/receive-dialog.tsx').then((m) => m.ReceiveDialog),
};
const loadDialogs = () => Promise.allSettled(Object.values(DIALOGS).map((load) => load()));

type Options = {
  /** Toast after deleting an order. */
  deleted?: DeletedText;
  /** True to confirm before deleting. */
  asksToDelete?: boolean;
  /** Toast after completing an order. */
  completed?: string;
  assignTitle?: string;
  /** Dialogs of the screen, in place of the usual ones. */
  own?: Partial<typeof DIALOGS>;
};

async function read(id: string): Promise<Pedido> {
  const { data } = await call(getPedido, { params: { id } });
  if (!isWhole(data)) throw new ApiError(404, { message: 'Ese pedido no existe' });
  return data;
}

/** Actions for orders: `run` performs one, `runStep` a step of a situation, `dialogs` renders its dialog, which has an address. `rows`: the list around the order. */
export function useActions({ deleted, asksToDelete, completed, assignTitle, own }: Options = {}, rows?: readonly Pedido[]) {
  const [shown, setShown] = useState<{ Dialog: PedidoDialog; action: Asking; pedido: Pedido | undefined }>();
  const opener = useRef<Element>(null);
  const { id, isOpen, action, open, close } = useDialogAddress();
  /** True while a dialog is open that the address does not name yet. */
  const opening = useRef(false);
  // Snapshot taken on opening, so that later changes cause a conflict, not an overwrite.
  const known = useRef<Pedido>(undefined);
  const remove = useDelete({ deleted, asks: asksToDelete });
  const restore = useRestore();
  const duplicate = useDuplicate();
  const take = useQuickStep();
  const takeOut = useMutate(sacarDeEnvio, { failure: 'No se pudo sacar del envío' });
  const navigate = useNavigate();

  function run(action: Action, pedido: Pedido, from: Element | null = document.activeElement) {
    if (!isOpen()) opener.current = from;
    if (action.kind === 'delete') return void remove(pedido).then((gone) => (gone ? close() : focusOpener()));
    if (action.kind === 'restore') return restore.mutate({ params: { id: pedido.id } }, { onSettled: focusList });
    if (action.kind === 'duplicate') return void duplicate(pedido).then(() => focusOpener());
    if (action.kind === 'print') return void window.open(printHref({ rows: [pedido], all: undefined }, {}), '_blank', 'noopener');
    if (action.kind === 'label') return void window.open(labelHref({ ids: pedido.id }), '_blank', 'noopener');
    if (action.kind === 'takeOut') return takeOut.mutate({ body: { ids: [pedido.id] } }, { onSettled: focusList });
    if (action.kind === 'readAnswer') return void navigate({ to: '/envios' });
    if (action.kind === 'askPay') return void window.open(whatsappAddress(pedido, pedido.payment_link ?? ''), '_blank', 'noopener');
    if (isQuick(action)) return take(action.name, pedido);
    known.current = pedido;
    if (isOpen()) return open(action, pedido);
    void show(action, pedido);
    // Changes the address after the dialog is painted: the change re-renders the page behind, which is slow on a weak processor.
    const { pathname } = location;
    opening.current = true;
    afterPaint(() => {
      if (opening.current && location.pathname === pathname) open(action, pedido);
      opening.current = false;
    });
  }

  useLoadedWhenIdle(loadDialogs);

  const dialogOf = ({ kind }: Asking) => (own?.[kind] ?? DIALOGS[kind])();
  /** Shows the dialog before the address names the dialog. If the chunk loads later than that, the effect on the address shows the dialog. */
  const show = (action: Asking, pedido: Pedido) =>
    dialogOf(action).then(
      (Dialog) => opening.current && setShown({ Dialog, action, pedido }),
      () => {},
    );

  function leave() {
    if (!opening.current) return close();
    opening.current = false;
    hide();
  }
  function hide() {
    if (!shown) return;
    setShown({ ...shown, pedido: undefined });
    // Focuses the list instead if the opener's row leaves the list.
    focusOpener(focusList);
  }

  // Moves the focus to the opener, because the dialog would return it to a menu item that no longer exists.
  const focusOpener = (then = () => {}) =>
    setTimeout(() => {
      if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
      then();
    });

  const wanted = id && JSON.stringify([id, action]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the address opens or closes a dialog
  useEffect(() => {
    if (!id) return hide();
    let current = true;
    const pedido = known.current?.id === id ? known.current : read(id);
    Promise.all([dialogOf(action), pedido]).then(
      ([Dialog, pedido]) => current && setShown({ Dialog, action, pedido }),
      (error: unknown) => {
        if (!current) return;
        if (error instanceof ApiError) toast.failure(error, 'No se pudo abrir el pedido');
        else toast.error(NO_CONNECTION);
        close();
      },
    );
    return () => {
      current = false;
    };
  }, [wanted]);

  const beside = useBeside(rows, id);
  const go = (pedido: Pedido) => {
    known.current = pedido;
    open({ kind: 'view' }, pedido, { instead: true });
  };
  const around = rows && { previous: beside(-1), next: beside(1), go };

  return {
    run,
    runStep: (paso: Paso, pedido: Pedido, from: Element) => run(stepAction(paso), pedido, from),
    dialogs: shown && (
      <shown.Dialog
        action={shown.action}
        pedido={shown.pedido}
        onClose={leave}
        success={completed}
        title={assignTitle}
        onAction={run}
        around={around}
      />
    ),
  };
}

/** Neighbours of the open order, or of its last position if the order has left the list. */
function useBeside(rows: readonly Pedido[] = [], id: string | undefined) {
  const place = useRef(0);
  const found = rows.findIndex((row) => row.id === id);
  if (found >= 0) place.current = found;
  return (by: -1 | 1) => rows[found >= 0 ? found + by : place.current + (by === 1 ? 0 : -1)];
}

/** Duplicates an order after confirmation, because the copy takes stock. The server's message names the copy. */
function useDuplicate() {
  const duplicate = useMutate(duplicatePedido, { failure: 'No se pudo duplicar el pedido' });
  return ({ id, numero_orden, cliente_nombre }: Pedido): Promise<boolean> =>
    confirm({
      title: 'Duplicar pedido',
      message: `Se creará un pedido nuevo para ${cliente_nombre} con lo mismo que ${numero_orden}, al precio de hoy. La copia queda sin pagar.`,
      confirm: 'Duplicar',
      action: () => duplicate.mutateAsync({ params: { id } }),
    });
}

/** Steps without input, each with its inverse. */
const TAKEN_BACK_BY = { preparar: 'volver', volver: 'preparar' } as const;
type Quick = keyof typeof TAKEN_BACK_BY;
const isQuick = (action: Action): action is { kind: 'estado'; name: Quick } =>
  action.kind === 'estado' && Object.hasOwn(TAKEN_BACK_BY, action.name);

/** Makes a quick step without confirmation and offers «Deshacer». */
function useQuickStep() {
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
