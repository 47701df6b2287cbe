/*
 * Tells whether somebody is using this browser. Screens also poll and refetch by themselves, which must not
 * keep an abandoned session alive.
 */

/** Longer than the bell's polling interval of a minute, so that the next poll reports any activity. */
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
