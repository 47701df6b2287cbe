import { listComentarios } from '../../contract/comentarios/comentarios.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { getRuta, guardarRuta } from '../../contract/ruta/ruta.ts';
import type { SessionUser } from '../../contract/session/session.ts';
import { queryClient, registerHeaders, SESSION_KEY } from '../api.ts';
import { hasEnded } from '../ended.ts';
import { countWaiting, createCount, type Waiting } from './count.ts';
import { setHeld } from './held.ts';
import { isComment, type Operation } from './operation.ts';
import { isSendable } from './states.ts';
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
    operations = all.filter((operation) => !operation.hidden && !gone.includes(operation));
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
        others = countWaiting(await store.ofOthers(person));
        count.set(isSendable(all), others);
        isRead = true;
        show(all);
      } catch (error) {
        isRead = true;
        for (const listener of listeners) listener();
        throw error;
      }
    },
    /** Updates the count after an accepted operation. Must run before the lists are refetched, so that those requests report the new count. */
    sent: ({ id }: Operation) => count.set(isSendable(operations.filter((operation) => operation.id !== id)), others),
    stop() {
      registerHeaders(() => ({}));
      lists.stop();
    },
  };
}

/** Returns the path of the list whose next reading contains the effect of an operation. */
function listOf(operation: Operation): string {
  if (operation.path === guardarRuta.path) return getRuta.path;
  return (isComment(operation) ? listComentarios : listPedidos).path;
}

/** Watches which lists are read. `isListed` returns true if the list that shows an accepted operation was read after its acceptance. */
function watchLists(onRead: () => void) {
  // `began`: start of the current reading, by query hash. `listed`: start of the last successful reading, by path of the list.
  const began = new Map<string, number>();
  const listed = new Map<string, number>();
  const stop = queryClient.getQueryCache().subscribe((event) => {
    const { queryHash, queryKey } = event.query;
    if (event.type !== 'updated') return;
    if (event.action.type === 'fetch') began.set(queryHash, Date.now());
    // Ignores data set manually, which comes from this phone.
    if (event.action.type !== 'success' || event.action.manual) return;
    listed.set(String(queryKey[0]), began.get(queryHash) ?? 0);
    onRead();
  });
  return {
    isListed: (row: Operation): boolean => row.state === 'aceptado' && (listed.get(listOf(row)) ?? 0) >= (row.acceptedAt ?? 0),
    stop,
  };
}
