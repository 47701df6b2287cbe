import { reportWrongTexts, WRONG_TEXT } from '../wrong-texts.ts';

/*
 * Errors of the browser, and attempts to leave the page: reloads, other addresses, forms. They are prevented, because the runner would lose
 * the frame and all remaining files. Listens once, although setup.ts runs before each file.
 */

let errors: string[] = [];
let left: string[] = [];

// A busy machine measures a changed window in two frames; the browser reports that and delivers the rest in the second.
const isLate = (text: string) => text.includes('ResizeObserver loop completed with undelivered notifications');
export const noteError = (text: string): void => void (isLate(text) || errors.push(text));
window.addEventListener('error', ({ message }) => noteError(message));
window.addEventListener('unhandledrejection', ({ reason }) => noteError(String(reason)));

// `console.error` is noted by setup.ts.
reportWrongTexts(WRONG_TEXT.source);

navigation.addEventListener('navigate', (event) => {
  if (event.destination.sameDocument || event.downloadRequest !== null || !event.cancelable) return;
  event.preventDefault();
  left.push(`${event.formData ? 'form' : event.navigationType} ${event.destination.url.replace(location.origin, '')}`);
});

/** Returns the errors since the last call. */
export function takeErrors(): string[] {
  const taken = errors;
  errors = [];
  return taken;
}

/** Returns the prevented attempts to leave the page, such as «reload /pedidos», and clears the record. Tests that expect one call this. */
export function takeLeft(): string[] {
  const taken = left;
  left = [];
  return taken;
}
