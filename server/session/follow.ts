import type { Db } from '../db/open.ts';
import { livingSessions } from './sessions.ts';

/** Notifies open streams when their session ends. */
export function followSessions(db: Db, onError: (error: unknown) => void) {
  const followed = new Set<{ session: string; onEnd: () => void }>();
  let looking = false;
  let again = false;

  async function look(): Promise<void> {
    const sessions = [...new Set([...followed].map(({ session }) => session))];
    const living = sessions.length ? await livingSessions(db, sessions) : undefined;
    for (const follower of followed) {
      if (!living || living.has(follower.session) || !sessions.includes(follower.session)) continue;
      followed.delete(follower);
      follower.onEnd();
    }
  }

  return {
    /** Calls `onEnd` when the session (a token hash) ends; returns a stop function. */
    follow: (session: string, onEnd: () => void) => {
      const follower = { session, onEnd };
      followed.add(follower);
      return () => void followed.delete(follower);
    },
    /** Call when sessions may have ended; one query serves all streams and concurrent calls. */
    lookAgain: async (): Promise<void> => {
      again = true;
      if (looking) return;
      looking = true;
      while (again) {
        again = false;
        await look().catch(onError);
      }
      looking = false;
    },
  };
}
