import { useEffect } from 'react';
import { useSession } from '../../session/session.ts';
import { sendKept } from './send-proof.ts';

/** Sends what a killed tab or a lost connection left, now and whenever the connection is back. */
export function useSendKept(): void {
  const { id } = useSession();
  useEffect(() => {
    const send = () => void sendKept(id);
    send();
    addEventListener('online', send);
    return () => removeEventListener('online', send);
  }, [id]);
}
