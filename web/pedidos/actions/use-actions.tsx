import { type ComponentType, useRef, useState } from 'react';
import type { Pedido } from '../../../contract/pedidos.ts';
import { NO_CONNECTION } from '../../api.ts';
import { focusList } from '../../ui/list/focus-list.ts';
import { toast } from '../../ui/page/toast.tsx';
import { useRestore } from '../use-restore.ts';
import type { Action, PedidoDialogProps } from './actions.ts';
import { type DeletedText, useDelete } from './use-delete.tsx';
import { useDuplicate } from './use-duplicate.tsx';

type PedidoDialog = ComponentType<PedidoDialogProps>;

// Each dialog is a chunk of its own, so that a list opens without waiting for them.
const pedidoDialog = () => import('../pedido-dialog.tsx').then((m) => m.PedidoDialog);
const DIALOGS = {
  view: pedidoDialog,
  edit: pedidoDialog,
  assign: () => import('./assign-dialog.tsx').then((m) => m.AssignDialog),
  estado: () => import('./transition-dialog.tsx').then((m) => m.EstadoDialog),
  complete: () => import('./complete-dialog.tsx').then((m) => m.CompleteDialog),
} satisfies Partial<Record<Action['kind'], () => Promise<PedidoDialog>>>;

type Options = {
  /** Toast after deleting an order. */
  deleted?: DeletedText;
  /** Toast after completing an order. */
  completed?: string;
  /** Title of the assign dialog. */
  assignTitle?: string;
  /** Replaces the order's own dialog for `view`. */
  viewDialog?: () => Promise<PedidoDialog>;
};

/**
 * Actions for a list of orders: `run` performs one on an order, `dialogs` renders whatever it has to ask.
 */
export function useActions({ deleted, completed, assignTitle, viewDialog }: Options = {}) {
  const [shown, setShown] = useState<{ Dialog: PedidoDialog; action: Action; pedido: Pedido | undefined }>();
  const opener = useRef<Element>(null);
  const remove = useDelete(deleted);
  const restore = useRestore();
  const duplicate = useDuplicate();

  function run(action: Action, pedido: Pedido, from: Element | null = document.activeElement) {
    opener.current = from;
    if (action.kind === 'delete') return void remove(pedido).then((gone) => gone || focusOpener());
    if (action.kind === 'restore') return restore.mutate({ params: { id: pedido.id } }, { onSettled: focusList });
    if (action.kind === 'duplicate') return void duplicate(pedido).then(focusOpener);
    const load = (action.kind === 'view' && viewDialog) || DIALOGS[action.kind];
    load().then(
      (Dialog) => setShown({ Dialog, action, pedido }),
      () => toast.error(NO_CONNECTION),
    );
  }

  // A dialog returns focus to the element that had it on opening: here a menu item that no longer exists.
  const focusOpener = () => setTimeout(() => opener.current instanceof HTMLElement && opener.current.focus({ preventScroll: true }));

  function close() {
    setShown((now) => now && { ...now, pedido: undefined });
    focusOpener();
    focusList();
  }

  return {
    run,
    dialogs: shown && <shown.Dialog action={shown.action} pedido={shown.pedido} onClose={close} success={completed} title={assignTitle} />,
  };
}
