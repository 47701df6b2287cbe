import type { SessionUser } from '../../contract/session/session.ts';
import { queryClient, registerHeaders, SESSION_KEY } from '../api.ts';
import { hasEnded } from '../ended.ts';
import { createCount, type Waiting, waitingOf } from './count.ts';
import { setHeld } from './held.ts';
import { watchLists } from './listed.ts';
import type { Operation } from './operation.ts';
import { sendable } from './states.ts';
import type { Store } from './store.ts';

export const isSignedIn = (person: string): boolean =>
  !hasEnded() && queryClient.getQueryData<SessionUser | null>(SESSION_KEY)?.id === person;

/** Creates the screens' view of the store: without hidden operations, and without accepted operations that a list already shows. */
export function createView(person: string, store: Store) {
  const listeners = new Set<() => void>();
  const count = createCount(person);
  let operations: readonly Operation[] = [];
  let isRead = false;
  let others: readonly Waiting[] = [];
  const lists = watchLists(() => operations.some(lists.isListed) && show(operations));
  registerHeaders(() => (isSignedIn(person) ? count.headers() : {}));

  function show(all: readonly Operation[]): void {
    const gone = all.filter(lists.isListed);
    operations = all.filter((one) => !one.hidden && !gone.includes(one));
    if (gone.length) void store.remove(gone).catch(() => undefined);
    for (const listener of listeners) listener();
  }
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    operations: () => operations,
    others: () => others,
    /** True once the store has been read or reading has failed. */
    isRead: () => isRead,
    /** Reads the store again. */
    async look(): Promise<void> {
      try {
        const all = await store.of(person);
        setHeld(person, all.length > 0);
        others = waitingOf(await store.ofOthers(person));
        count.set(sendable(all), others);
        isRead = true;
        show(all);
      } catch (error) {
        isRead = true;
        for (const listener of listeners) listener();
        throw error;
      }
    },
    /** Updates the count after an accepted operation. Must run before the lists are refetched, so that those requests report the new count. */
    sent: ({ id }: Operation) => count.set(sendable(operations.filter((one) => one.id !== id)), others),
    stop() {
      registerHeaders(() => ({}));
      lists.stop();
    },
  };
}
