import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { confirm } from '../dialog/confirm.ts';

export const mayLose = () =>
  confirm({
    title: 'Descartar los cambios',
    message: 'Has cambiado datos y no los has guardado.',
    confirm: 'Descartar',
    cancel: 'Seguir editando',
    danger: true,
  });

/** Asks before leaving the screen (link, back button or reload) while the form is `dirty`. */
export function useUnsaved(dirty: () => boolean): void {
  useBlocker({ shouldBlockFn: async () => dirty() && !(await mayLose()), enableBeforeUnload: dirty });
}

const pause = (ms: number) => new Promise((then) => setTimeout(then, ms));

/** Closes a dialog, and asks first if it is `unsaved`. The caller ignores keys and clicks while `asking`. */
export function useClosing(unsaved: () => boolean, onClose: () => void): { asking: boolean; close: () => Promise<void> } {
  const [asking, setAsking] = useState(false);
  const close = async () => {
    if (!unsaved()) return onClose();
    setAsking(true);
    // Waits for the current Escape to finish, or it would also close the question.
    await pause(0);
    const lose = await mayLose();
    // Waits for the question to return the focus before the dialog does.
    await pause(50);
    setAsking(false);
    if (lose) onClose();
  };
  return { asking, close };
}
