import { useNavigate } from '@tanstack/react-router';
import { refreshSession, useSession } from '../session/session.ts';

/** Returns a function that goes home once nothing is pending. */
export function useGoOn(): () => Promise<void> {
  const user = useSession();
  const navigate = useNavigate();
  return async () => {
    if (!user.pending) return;
    const { pending } = await refreshSession();
    // The router redirects `/` to the home of the role.
    if (!pending) await navigate({ to: '/' });
  };
}
