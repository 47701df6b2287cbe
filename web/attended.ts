/* Tells whether a person is using this browser. Polling alone must not keep an abandoned session alive. */

/** Longer than the bell's polling interval (one minute), so that the next poll reports any activity. */
const MS = 90_000;

let touched = Date.now();
for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
  globalThis.addEventListener?.(
    event,
    () => {
      touched = Date.now();
    },
    { capture: true, passive: true },
  );

/** True if somebody has touched the screen in the last `ms`. */
export const isAttended = (ms = MS): boolean => Date.now() - touched < ms;
