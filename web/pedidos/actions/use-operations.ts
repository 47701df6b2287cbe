import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Operation } from '../../outbox/operation.ts';
import type { Outbox } from '../../outbox/outbox.ts';
import { useSession } from '../../session/session.ts';
import { outboxParts } from './outbox-parts.ts';

const NONE: readonly Operation[] = [];
const deaf = () => () => undefined;

/** What the carrier has done on this phone and the server has not taken. */
export function useOperations() {
  const actor = useSession();
  const [outbox, setOutbox] = useState<Outbox>();
  const parts = outboxParts.useParts(false);
  useEffect(() => setOutbox(parts?.outboxFor(actor)), [parts, actor]);
  const operations = useSyncExternalStore(outbox?.subscribe ?? deaf, outbox?.operations ?? (() => NONE));
  return { operations, hide: (id: string) => void outbox?.hide(id), sendNow: () => void outbox?.sendNow() };
}
