import { Button, Group } from '@mantine/core';
import { notifications, notificationsStore } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './toasts.module.css';
import { cannotUndo, canUndo } from './undo.ts';
import { isPhone } from './use-phone.ts';

type Kind = 'success' | 'info' | 'error';
export type ToastOptions = {
  title?: string;
  /** Button such as «Deshacer», which also closes the toast. Ctrl+Z runs the latest action marked `undo`, even after its toast has gone. */
  action?: { label: string; onClick: () => void; undo?: boolean };
  autoClose?: number | false;
  /** Operation in question: a later toast about the same operation replaces this toast, and `clear` removes it. */
  about?: string;
};

export const TIME_TO_UNDO = 10_000;

// Errors stay longer, because they take longer to read.
const LOOK = {
  success: { color: 'green', icon: <IconCheck size={16} />, autoClose: 4000 },
  info: { color: 'accent', icon: <IconInfoCircle size={16} />, autoClose: 5000 },
  error: { color: 'red', icon: <IconAlertTriangle size={16} />, autoClose: 8000 },
} as const;

// More toasts would cover the screen.
export const MOST_TOASTS = 4;

function show(kind: Kind, message: ReactNode, { title, action, about, autoClose = LOOK[kind].autoClose }: ToastOptions = {}) {
  const { notifications: shown } = notificationsStore.getState();
  if (!action && shown.some((toast) => toast.message === message && toast.title === title)) return;
  // A new toast replaces the toast about the same operation, or the oldest if `MOST_TOASTS` toasts are shown.
  const [oldest] = shown;
  if (about && shown.some((toast) => toast.id === about)) notifications.hide(about);
  else if (oldest?.id && shown.length >= MOST_TOASTS) notifications.hide(oldest.id);
  // A phone has room for one toast.
  if (isPhone()) notifications.clean();
  const press = () => {
    cannotUndo(press);
    notifications.hide(id);
    action?.onClick();
  };
  if (action?.undo) canUndo(press);
  const id: string = notifications.show({
    ...LOOK[kind],
    ...(about && { id: about }),
    title,
    autoClose,
    role: kind === 'error' ? 'alert' : 'status',
    closeButtonProps: { 'aria-label': 'Cerrar aviso' },
    message: action ? (
      <Group justify="space-between" gap="sm" className={classes.message}>
        <span className={classes.words}>{message}</span>
        <Button size="compact-sm" flex="none" variant="default" aria-keyshortcuts={action.undo ? 'Control+Z' : undefined} onClick={press}>
          {action.label}
        </Button>
      </Group>
    ) : (
      message
    ),
  });
}

/** Shows the server's message for a refusal (4xx); otherwise `fallback`, with the cause below. */
function failure(cause: { status: number; message: string; about?: string }, fallback?: string) {
  const refused = cause.status >= 400 && cause.status < 500;
  toast.error(cause.message, { ...(fallback && !refused && { title: fallback }), ...(cause.about && { about: cause.about }) });
}

const of = (kind: Kind) => (message: ReactNode, options?: ToastOptions) => show(kind, message, options);
export const toast = {
  success: of('success'),
  info: of('info'),
  error: of('error'),
  failure,
  /** Removes the error about an operation, after a successful retry. */
  clear: (about: string) => void notifications.hide(about),
  clearAll: () => void notifications.clean(),
};
