import { QueryObserver } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import type { SessionUser } from '../../contract/session/session.ts';
import { queryClient } from '../api.ts';
import { isAttended } from '../attended.ts';
import { createShared } from '../shared.ts';

/*
 * Suspends the screen of an ended session, hidden, until the same person signs in again. Lives in memory only, so a reload, a sign-out or
 * another person drops it.
 */

type Suspended = { user: SessionUser; href: string; idle: boolean };

const suspended = createShared<Suspended | undefined>(undefined);
let letGo = () => {};

function suspend(user: SessionUser, href: string): void {
  dropSuspended();
  // Observers keep in the cache the data that open forms were filled from.
  const kept = queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    .map(({ queryKey }) => new QueryObserver(queryClient, { queryKey, enabled: false }).subscribe(() => undefined));
  letGo = () => {
    for (const stop of kept) stop();
  };
  suspended.set({ user, href, idle: !isAttended() });
}

/** Suspends the current screen of `user` behind the sign-in screen, with its address. */
export function suspendAt(router: AnyRouter, user: SessionUser): void {
  const { href } = router.state.location;
  suspend(user, href);
  const mask = { to: '/auth', search: { volver: href }, unmaskOnReload: true };
  // Without a new state, the router would treat the target as the current location.
  void router.navigate({ href, mask, state: { suspended: true }, replace: true, resetScroll: false, ignoreBlocker: true } as never);
}

/** Shows the suspended screen again without signing in, so that a carrier can go on with the cached list. */
export async function resumeSuspended(router: AnyRouter): Promise<void> {
  await router.navigate({ href: suspendedScreen()?.href ?? '/', replace: true, resetScroll: false } as never);
  dropSuspended();
}

export function dropSuspended(): void {
  letGo();
  suspended.set(undefined);
}

export const { get: suspendedScreen, use: useSuspended } = suspended;
