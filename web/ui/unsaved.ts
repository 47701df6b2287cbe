import { useBlocker } from '@tanstack/react-router';
import { confirm } from './confirm.tsx';

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
