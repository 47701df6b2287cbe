import { useEffect, useRef } from 'react';
import type { SessionUser } from '../../../contract/session/session.ts';
import { queryClient, SESSION_KEY } from '../../api.ts';
import { useUnsaved } from '../../ui/form/unsaved.ts';
import { type Import, storeDraft } from './draft.ts';

const KEEP_MS = 300;

/** False after sign-out, when nothing may be stored. */
const isSignedIn = (owner: string) => queryClient.getQueryData<SessionUser | null>(SESSION_KEY)?.id === owner;

/** Stores the draft, debounced because a draft may be large. Asks before leaving if the draft does not fit into storage. */
export function useKept(owner: string, state: Import | undefined) {
  const latest = useRef(state);
  const fits = useRef(true);
  useEffect(() => {
    latest.current = state;
    const keep = () => {
      if (isSignedIn(owner)) fits.current = storeDraft(owner, latest.current);
    };
    if (!state) return keep();
    const timer = setTimeout(keep, KEEP_MS);
    addEventListener('pagehide', keep);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', keep);
    };
  }, [owner, state]);
  // Flushes the draft on unmount.
  useEffect(
    () => () => {
      if (isSignedIn(owner) && latest.current) storeDraft(owner, latest.current);
    },
    [owner],
  );
  useUnsaved(() => !!state && !fits.current);
}
