import { useSyncExternalStore } from 'react';

/** A value outside React that components follow by `use`. */
export function createShared<T>(value: T) {
  const listeners = new Set<() => void>();
  const get = () => value;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    get,
    set(next: T): void {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe,
    use: (): T => useSyncExternalStore(subscribe, get),
  };
}
