import { useEffect, useState, useSyncExternalStore } from 'react';
import { holdsOperations } from '../../outbox/held.ts';
import type { Operation } from '../../outbox/operation.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import { useSession } from '../../session/session.ts';
import { outboxFor } from './outbox.ts';

const NONE: readonly never[] = [];
const deaf = () => () => undefined;
/** Longest time that rows wait for the store, so that a hanging store does not hide the rows. */
const PATIENCE_MS = 2000;

/** Operations stored on this telephone that the lists do not show yet. `isRead` is false while the store is being read. */
export function useOperations() {
  const actor = useSession();
  const [outbox, setOutbox] = useState<Outbox>();
  const [holds] = useState(() => holdsOperations(actor.id));
  const [isLate, setLate] = useState(false);
  useEffect(() => setOutbox(outboxFor(actor)), [actor]);
  useEffect(() => {
    const timer = holds ? setTimeout(setLate, PATIENCE_MS, true) : undefined;
    return () => clearTimeout(timer);
  }, [holds]);
  const subscribe = outbox?.subscribe ?? deaf;
  const operations = useSyncExternalStore(subscribe, outbox?.operations ?? (() => NONE as readonly Operation[]));
  const others = useSyncExternalStore(subscribe, outbox?.others ?? (() => NONE as ReturnType<Outbox['others']>));
  const isRead = useSyncExternalStore(subscribe, outbox?.isRead ?? (() => false));
  return {
    operations,
    others,
    isRead: isRead || !holds || isLate,
    hide: (id: string) => void outbox?.hide(id),
    sendNow: () => void outbox?.sendNow(),
  };
}
