import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { signOut } from './session.ts';

/** Signs out and goes to the sign-in screen, unless signing out fails. */
export function useSignOut() {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  async function leave() {
    setBusy(true);
    if (await signOut()) await navigate({ to: '/auth', ignoreBlocker: true });
    setBusy(false);
  }
  return { busy, leave: () => void leave() };
}
