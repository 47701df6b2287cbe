import { useSyncExternalStore } from 'react';

/* Since when the server has not been heard, by what every request and the browser itself tell. */

let lostSince: number | undefined;
const listeners = new Set<() => void>();

function set(next: number | undefined) {
  if ((next === undefined) === (lostSince === undefined)) return;
  lostSince = next;
  for (const listener of listeners) listener();
}

/** The server has answered, whatever it said. */
export const heard = (): void => set(undefined);
/** A request failed for want of an answer. The first one counts. */
export const unheard = (): void => set(Date.now());

globalThis.addEventListener?.('offline', unheard);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** The moment since when nothing has been heard of the server, in milliseconds; undefined while it answers. */
export const useLostSince = (): number | undefined => useSyncExternalStore(subscribe, () => lostSince);
