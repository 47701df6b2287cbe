import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Outbox } from '../../outbox/outbox.ts';
import type { Act } from '../../outbox/store.ts';
import { useSession } from '../../session/session.ts';
import { outboxParts } from './outbox-parts.ts';

const NONE: readonly Act[] = [];
const deaf = () => () => undefined;

/** What the carrier has done on this telephone and the server has not taken. */
export function useActs() {
  const actor = useSession();
  const [outbox, setOutbox] = useState<Outbox>();
  const parts = outboxParts.useParts(false);
  useEffect(() => setOutbox(parts?.outboxFor(actor)), [parts, actor]);
  const acts = useSyncExternalStore(outbox?.subscribe ?? deaf, outbox?.acts ?? (() => NONE));
  return { acts, forget: (id: string) => void outbox?.forget(id) };
}
