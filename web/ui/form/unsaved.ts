import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { confirm } from '../dialog/confirm.tsx';

/** Asks before something typed is lost. */
export const mayLose = () =>
  confirm({
    title: 'Descartar los cambios',
    message: 'Has cambiado datos y no los has guardado.',
    confirm: 'Descartar',
    cancel: 'Seguir editando',
    danger: true,
  });

/** Asks before the screen of a form is left, by a link, «atrás» or a reload, while something in it is `dirty`. */
export function useUnsaved(dirty: () => boolean): void {
  useBlocker({ shouldBlockFn: async () => dirty() && !(await mayLose()), enableBeforeUnload: dirty });
}

const pause = (ms: number) => new Promise((then) => setTimeout(then, ms));

/** Closes a dialog, after asking when something in it is `unsaved`; while it is `asking`, keys and clicks are not for the dialog. */
export function useClosing(unsaved: () => boolean, onClose: () => void): { asking: boolean; close: () => Promise<void> } {
  const [asking, setAsking] = useState(false);
  const close = async () => {
    if (!unsaved()) return onClose();
    setAsking(true);
    // The Escape that asks is not to be heard as the answer too.
    await pause(0);
    const lose = await mayLose();
    // The question gives the focus back first, and then the dialog to what opened it.
    await pause(50);
    setAsking(false);
    if (lose) onClose();
  };
  return { asking, close };
}
