import { useNavigate } from '@tanstack/react-router';
import { refreshSession, useSession } from '../session/session.ts';

/** After something pending was done: lets the person out to their home once nothing else is. */
export function useGoOn(): () => Promise<void> {
  const user = useSession();
  const navigate = useNavigate();
  return async () => {
    if (!user.pending) return;
    const { pending } = await refreshSession();
    // `/` sends everybody to the home of their role.
    if (!pending) await navigate({ to: '/' });
  };
}
