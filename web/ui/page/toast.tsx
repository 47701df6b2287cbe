import type { ReactNode } from 'react';
import type { Kind, ToastOptions } from './toasts.tsx';

/* Toasts. Their component is a separate chunk, to keep the sign-in page small; app.tsx loads the chunk after the first screen. */

/** Milliseconds to show a toast with «Deshacer». */
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

/** Shows the server's message for a refusal (4xx); otherwise `fallback`, with the cause below. */
function failure(cause: { status: number; message: string; about?: string }, fallback?: string) {
  const refused = cause.status >= 400 && cause.status < 500;
  error(cause.message, { ...(fallback && !refused && { title: fallback }), ...(cause.about && { about: cause.about }) });
}

/** Removes the error about an operation, after a successful retry. */
const clear = (about: string) => void loadToasts().then((toasts) => toasts.clear(about));

/** Removes every toast, at the start of a new session. */
const clearAll = () => void loadToasts().then((toasts) => toasts.clearAll());

export const toast = { success, info, error, failure, clear, clearAll };
