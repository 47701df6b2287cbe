import '@mantine/core/styles/Notification.css';
import '@mantine/notifications/styles.css';
import { Button, Group } from '@mantine/core';
import { Notifications, notifications, notificationsStore } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './toasts.module.css';
import { cannotUndo, canUndo, undoLast } from './undo.ts';
import { isPhone, usePhone } from './use-phone.ts';

export type Kind = 'success' | 'info' | 'error';
export type ToastOptions = {
  title?: string;
  /** Button such as «Deshacer», which also closes the toast. Ctrl+Z runs the latest action marked `undo`, even after its toast has gone. */
  action?: { label: string; onClick: () => void; undo?: boolean };
  autoClose?: number | false;
  /** Operation in question: a later toast about the same replaces this one, and `clear` removes it. */
  about?: string;
};

// Errors stay longer, because they take longer to read.
const LOOK = {
  success: { color: 'green', icon: <IconCheck size={16} />, autoClose: 4000 },
  info: { color: 'accent', icon: <IconInfoCircle size={16} />, autoClose: 5000 },
  error: { color: 'red', icon: <IconAlertTriangle size={16} />, autoClose: 8000 },
} as const;

// More would cover the screen.
const LIMIT = 4;

export function show(kind: Kind, message: ReactNode, { title, action, about, autoClose = LOOK[kind].autoClose }: ToastOptions) {
  const { notifications: shown } = notificationsStore.getState();
  if (!action && shown.some((one) => one.message === message && one.title === title)) return;
  // A new toast replaces the one about the same operation, or else the oldest.
  const [oldest] = shown;
  if (about && shown.some((one) => one.id === about)) notifications.hide(about);
  else if (oldest?.id && shown.length >= LIMIT) notifications.hide(oldest.id);
  // A phone has room for one toast; those with a button stay, to be pressed.
  if (isPhone()) for (const { id, message } of shown) if (id && typeof message === 'string') notifications.hide(id);
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

export const clear = (about: string) => void notifications.hide(about);

export const clearAll = () => void notifications.clean();

addEventListener('keydown', ({ key, ctrlKey, metaKey, repeat, target }) => {
  if (key !== 'z' || repeat || !(ctrlKey || metaKey)) return;
  // Text fields have their own undo.
  if (target instanceof Element && target.matches('textarea, input:not([type=checkbox])')) return;
  undoLast();
});

/** On a phone at the top, because the buttons of forms and dialogs are at the bottom. */
export default function Toasts() {
  return <Notifications position={usePhone() ? 'top-center' : 'bottom-right'} limit={LIMIT} containerWidth={400} />;
}
