import { type ComponentType, useRef, useState } from 'react';
import type { Pedido } from '../../../contract/pedidos.ts';
import { NO_CONNECTION } from '../../api.ts';
import { focusList } from '../../ui/list/focus-list.ts';
import { toast } from '../../ui/page/toast.tsx';
import type { Accion, PedidoDialogProps } from './actions.ts';
import { type DeletedText, useEliminar } from './use-delete.tsx';
import { useDuplicar } from './use-duplicate.tsx';

type PedidoDialog = ComponentType<PedidoDialogProps>;

// Each dialog is a chunk of its own: a list opens before any of them is there.
const pedidoDialog = () => import('../pedido-dialog.tsx').then((m) => m.PedidoDialog);
const DIALOGS = {
  ver: pedidoDialog,
  editar: pedidoDialog,
  asignar: () => import('./assign-dialog.tsx').then((m) => m.AsignarDialog),
  estado: () => import('./transition-dialog.tsx').then((m) => m.EstadoDialog),
  completar: () => import('./complete-dialog.tsx').then((m) => m.CompletarDialog),
} satisfies Partial<Record<Accion['kind'], () => Promise<PedidoDialog>>>;

type Options = {
  /** What the list calls a deleted order. */
  deleted?: DeletedText;
  /** What is said when an order was completed. */
  completed?: string;
  /** Title of the dialog that gives the order to a carrier. */
  assignTitle?: string;
  /** Shown for `ver` instead of the order's own dialog. */
  verDialog?: () => Promise<PedidoDialog>;
};

/**
 * What a list of orders needs for its row menus: `run` does what was chosen for an order, `dialogs` is where
 * it asks what it has to ask.
 */
export function useAcciones({ deleted, completed, assignTitle, verDialog }: Options = {}) {
  const [shown, setShown] = useState<{ Dialog: PedidoDialog; accion: Accion; pedido: Pedido | undefined }>();
  const opener = useRef<Element>(null);
  const eliminar = useEliminar(deleted);
  const duplicar = useDuplicar();

  function run(accion: Accion, pedido: Pedido, from: Element | null = document.activeElement) {
    opener.current = from;
    if (accion.kind === 'eliminar') return void eliminar(pedido).then((gone) => gone || focusOpener());
    if (accion.kind === 'duplicar') return void duplicar(pedido).then(focusOpener);
    const load = (accion.kind === 'ver' && verDialog) || DIALOGS[accion.kind];
    load().then(
      (Dialog) => setShown({ Dialog, accion, pedido }),
      () => toast.error(NO_CONNECTION),
    );
  }

  // A dialog only gives focus back to what had it when it opened: an item of a menu that is gone, or nothing.
  const focusOpener = () => setTimeout(() => opener.current instanceof HTMLElement && opener.current.focus({ preventScroll: true }));

  function close() {
    setShown((now) => now && { ...now, pedido: undefined });
    focusOpener();
    focusList();
  }

  return {
    run,
    dialogs: shown && <shown.Dialog accion={shown.accion} pedido={shown.pedido} onClose={close} success={completed} title={assignTitle} />,
  };
}
