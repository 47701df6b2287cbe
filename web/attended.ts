/*
 * Whether somebody is there. A screen asks by itself too, by the clock and when something has changed, and that
 * must not keep the session of a browser alive that everybody has walked away from.
 */

/** More than the minute after which the bell asks again, so that the server hears of whoever touched anything. */
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

export const isAttended = (): boolean => Date.now() - touched < MS;
