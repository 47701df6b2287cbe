import type { ReactNode } from 'react';

/*
 * Short notices in a corner. What draws them comes in a chunk of its own, so that signing in does not wait
 * for it; main.tsx asks for it as soon as the screen is up.
 */

export type Kind = 'success' | 'info' | 'error';
export type ToastOptions = {
  title?: string;
  /**
   * A button of the notice, such as «Deshacer»; pressing it closes the notice too. Ctrl+Z does what the last one says that
   * is `undo`, also once its notice is gone.
   */
  action?: { label: string; onClick: () => void; undo?: boolean };
  autoClose?: number | false;
  /** What was being done: a later notice about the same takes this one's place, and `clear` takes it away. */
  about?: string;
};

/** Milliseconds during which a notice offers «Deshacer». */
export const TIME_TO_UNDO = 10_000;

export const loadToasts = () => import('./toasts.tsx');

const show =
  (kind: Kind) =>
  (message: ReactNode, options: ToastOptions = {}): void => {
    void loadToasts().then((toasts) => toasts.show(kind, message, options));
  };

const success = show('success');
const info = show('info');
const error = show('error');

/** The server's sentence for a refusal (4xx); otherwise `fallback`, with the cause below it. */
function failure(cause: { status: number; message: string }, fallback?: string, about?: string) {
  const refused = cause.status >= 400 && cause.status < 500;
  error(cause.message, { ...(fallback && !refused && { title: fallback }), ...(about && { about }) });
}

/** The error about this has no cause any more. */
const clear = (about: string) => void loadToasts().then((toasts) => toasts.clear(about));

export const toast = { success, info, error, failure, clear };
