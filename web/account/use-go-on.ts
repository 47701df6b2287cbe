import { useNavigate } from '@tanstack/react-router';
import { refreshSession, useSession } from '../session/session.ts';

/** Returns a function that refreshes a session with a pending step, and goes home if no step is pending any more. */
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
