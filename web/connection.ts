import { createShared } from './shared.ts';

/* Tracks whether the server can be reached, from every request and the browser's own events. */

const lostSince = createShared<number | undefined>(undefined);

/** Call when the server has answered, with any status. */
export const markOnline = (): void => lostSince.set(undefined);
/** Call when a request got no answer; only the first call after an answer sets the time. */
export const markOffline = (): void => lostSince.set(lostSince.get() ?? Date.now());

let answered: { at: number; since: number } | undefined;
/** Takes the server's time from an answer's `Date`. */
export function recordServerTime(date: string | null): void {
  const at = Date.parse(date ?? '');
  if (!Number.isNaN(at)) answered = { at, since: performance.now() };
}
/** The server's time in milliseconds, whatever the phone's clock says; undefined before the server's first answer. */
export const serverTime = (): number | undefined => answered && answered.at + performance.now() - answered.since;

globalThis.addEventListener?.('offline', markOffline);

/** Calls `listener` when an answer arrives after silence; returns a function that unsubscribes. */
export const whenReachable = (listener: () => void) => lostSince.subscribe(() => lostSince.get() === undefined && listener());

/** Time of the first unanswered request or `offline` event, in milliseconds; undefined while the server answers. */
export const useLostSince = lostSince.use;
