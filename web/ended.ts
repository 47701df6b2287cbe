import { useSyncExternalStore } from 'react';
import { isAttended } from './attended.ts';

/*
 * A carrier's session that has ended while the phone keeps the day's list: the list stays and everything done is stored, until the person
 * signs in again. Held in memory: after a reload, the session check restores the state.
 */

let ended = false;
const listeners = new Set<() => void>();

export const hasEnded = (): boolean => ended;
/** True while a request can only be refused: the session has ended, and nobody has touched the phone in the last ten seconds. */
export const isResting = (): boolean => ended && !isAttended(10_000);

export function setEnded(next: boolean): void {
  if (ended === next) return;
  ended = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
export const useEnded = (): boolean => useSyncExternalStore(subscribe, hasEnded);
