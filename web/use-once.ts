import { useRef } from 'react';

/** The second press of a double click may come after the answer to the first. */
const DOUBLE_CLICK_MS = 500;

/** Starts what `key` names unless it is on its way or was just done: then it answers what the first start answers. */
export function useOnce() {
  const started = useRef(new Map<string, Promise<unknown>>());
  return <T>(key: string, start: () => Promise<T>): Promise<T> => {
    const same = started.current.get(key) as Promise<T> | undefined;
    if (same !== undefined) return same;
    const sent = start();
    const forget = () => void started.current.delete(key);
    started.current.set(key, sent);
    sent.then(() => setTimeout(forget, DOUBLE_CLICK_MS), forget);
    return sent;
  };
}
