import { notifyManager } from '@tanstack/react-query';

/* Activity of the person at this browser: recent use, and whether a finger is on the screen. */

/** Default of `isAttended`, longer than the bell's polling interval (one minute), so that the next poll reports any activity. */
const ATTENDED_MS = 90_000;
/** Milliseconds after the end of a press in which the browser delivers the click. */
const CLICK_MS = 50;

const listen = (types: readonly string[], listener: (event: Event) => void) => {
  for (const type of types) globalThis.addEventListener?.(type, listener, { capture: true, passive: true });
};

let touched = Date.now();
listen(['pointerdown', 'pointermove', 'keydown', 'wheel'], () => {
  touched = Date.now();
});

/** True after a touch, key or movement in the last `ms`. Polling alone must not keep an abandoned session alive. */
export const isAttended = (ms = ATTENDED_MS): boolean => Date.now() - touched < ms;

// Holds back new data during a press, so that no row moves between aiming and the click.
let waiting: (() => void)[] | undefined;
notifyManager.setScheduler((notify) => (waiting ? waiting.push(notify) : setTimeout(notify)));
// A right button opens a menu, which may swallow its release.
listen(['pointerdown'], (event) => {
  if ((event as PointerEvent).button === 0) waiting ??= [];
});
listen(['pointerup', 'pointercancel', 'pointermove'], (event) => {
  if ((event as PointerEvent).buttons) return;
  for (const notify of waiting ?? []) setTimeout(notify, CLICK_MS);
  waiting = undefined;
});
