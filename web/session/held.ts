import { QueryObserver } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { SessionUser } from '../../contract/session.ts';
import { queryClient } from '../api.ts';
import { isAttended } from '../attended.ts';

/*
 * A screen whose session has ended: kept as it is, out of sight, until the same person signs in again. It lives in
 * memory alone, so that a reload, a sign-out or another person ends it.
 */

type Held = { user: SessionUser; href: string; idle: boolean };

let held: Held | undefined;
let letGo = () => {};
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

/** Holds the screen at `href`, which is `user`'s. */
export function hold(user: SessionUser, href: string): void {
  release();
  held = { user, href, idle: !isAttended() };
  // Without an observer the cache would forget what the forms on the screen were filled from.
  const kept = queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    .map(({ queryKey }) => new QueryObserver(queryClient, { queryKey, enabled: false }).subscribe(() => undefined));
  letGo = () => {
    for (const stop of kept) stop();
  };
  tell();
}

/** Lets the screen go: it is shown again, or somebody else's takes its place. */
export function release(): void {
  if (!held) return;
  held = undefined;
  letGo();
  tell();
}

export const heldScreen = (): Held | undefined => held;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
export const useHeld = (): Held | undefined => useSyncExternalStore(subscribe, heldScreen);
