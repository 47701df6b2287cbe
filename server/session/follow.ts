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
    for (const one of followed) {
      if (!living || living.has(one.session) || !sessions.includes(one.session)) continue;
      followed.delete(one);
      one.onEnd();
    }
  }

  return {
    /** Calls `onEnd` when the session (a token hash) ends; returns a stop function. */
    follow: (session: string, onEnd: () => void) => {
      const one = { session, onEnd };
      followed.add(one);
      return () => void followed.delete(one);
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
