import { useRef } from 'react';

/** The second press of a double click may come after the answer to the first. */
const DOUBLE_CLICK_MS = 500;

/** Runs a task only once per `key` while it is running or has just finished; repeats get the first result. */
export function useOnce() {
  const started = useRef(new Map<string, Promise<unknown>>());
  return <T>(key: string, start: () => Promise<T>): Promise<T> => {
    const same = started.current.get(key) as Promise<T> | undefined;
    if (same !== undefined) return same;
    const sent = start();
    const free = () => void started.current.delete(key);
    started.current.set(key, sent);
    sent.then(() => setTimeout(free, DOUBLE_CLICK_MS), free);
    return sent;
  };
}
