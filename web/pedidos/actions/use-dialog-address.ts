import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { TRANSITIONS, type TransitionName } from '../../../contract/pedidos/flow.ts';
import { isReversal } from '../../../contract/pedidos/reversals.ts';
import type { Asking } from './actions.ts';

const NAMES = {
  view: 'ver',
  edit: 'editar',
  lineas: 'productos',
  postpone: 'aplazar',
  assign: 'asignar',
  complete: 'completar',
  pay: 'cobrar',
  separate: 'otra-venta',
  answer: 'responder',
  receive: 'recibir',
} as const;
const nameOf = (action: Asking): string => (action.kind === 'estado' || action.kind === 'undo' ? action.name : NAMES[action.kind]);

function actionOf(name: string): Asking {
  for (const kind of ['edit', 'lineas', 'postpone', 'assign', 'complete', 'pay', 'separate', 'answer', 'receive'] as const)
    if (NAMES[kind] === name) return { kind };
  if (isReversal(name)) return { kind: 'undo', name };
  const { input = { any: '' } } = TRANSITIONS[name as TransitionName] ?? {};
  const asksForText = Object.keys(input).every((field) => field === 'motivo' || field === 'referencia' || field === 'llamado');
  return asksForText ? ({ kind: 'estado', name } as Asking) : { kind: 'view' };
}

const UUID = /^[0-9a-f-]{36}$/i;

/** Keeps an order's open dialog in the address (`?pedido=…&accion=salir`): it survives a reload and closes with the back button. */
export function useDialogAddress() {
  const search: Partial<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const left = useRef<string>(undefined);
  const value = String(search.pedido ?? '');
  const id = UUID.test(value) ? value : undefined;
  /** The current address, which a render can lag behind: a tap right after «Atrás» finds the dialog still rendered. */
  const now = () => {
    const { search, state } = router.history.location;
    const { key = '', dialog = false } = state as { key?: string; dialog?: boolean };
    return { isOpen: new URLSearchParams(search).has('pedido'), key, dialog };
  };

  return {
    id,
    /** True if the address names a dialog, also where a row drawn earlier asks. */
    isOpen: () => now().isOpen,
    action: actionOf(String(search.accion ?? '')),
    /** Opens a dialog. `instead` replaces an open dialog in the history, so that the back button skips the replaced dialog. */
    open: (action: Asking, pedido: { id: string }, { instead = false } = {}) => {
      const { isOpen, dialog } = now();
      const replace = instead && isOpen;
      void navigate({
        to: '.',
        replace,
        resetScroll: false,
        search: (before) => ({ ...before, pedido: pedido.id, accion: action.kind === 'view' ? undefined : nameOf(action) }),
        state: { dialog: replace ? dialog : true },
      });
    },
    /** Closes the dialog unasked: goes back in history, or replaces the address if a link opened the dialog. Repeated calls do nothing. */
    close: () => {
      const { isOpen, key, dialog } = now();
      if (!isOpen || left.current === key) return;
      left.current = key;
      if (dialog) return router.history.back({ ignoreBlocker: true });
      void navigate({
        to: '.',
        replace: true,
        resetScroll: false,
        ignoreBlocker: true,
        search: ({ pedido: _, accion: __, ...before }) => before,
      });
    },
  };
}
