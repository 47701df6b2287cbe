import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { holdsOperations } from '../../outbox/held.ts';
import { useSession } from '../../session/session.ts';
import { outboxFor } from './outbox.ts';

/** Longest time that rows wait for the store, so that a hanging store does not hide the rows. */
const PATIENCE_MS = 2000;

/** Operations stored on this telephone that the lists do not show yet. `isRead` is false while the store is being read. */
export function useOperations() {
  const actor = useSession();
  const outbox = useMemo(() => outboxFor(actor), [actor]);
  const [holds] = useState(() => holdsOperations(actor.id));
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = holds ? setTimeout(setLate, PATIENCE_MS, true) : undefined;
    return () => clearTimeout(timer);
  }, [holds]);
  const operations = useSyncExternalStore(outbox.subscribe, outbox.operations);
  const others = useSyncExternalStore(outbox.subscribe, outbox.others);
  const isRead = useSyncExternalStore(outbox.subscribe, outbox.isRead);
  return {
    operations,
    others,
    isRead: isRead || !holds || isLate,
    hide: (id: string) => void outbox.hide(id),
    sendNow: () => void outbox.sendNow(),
  };
}
