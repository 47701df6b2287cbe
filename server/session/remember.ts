import type { Session } from './sessions.ts';

/** Channel notified by the triggers on sessions, users and settings (migration 007). */
export const SESSIONS_CHANNEL = 'enruta_sesiones';
// Bounds staleness if a notification from another instance is lost.
const MS = 5_000;
const MAX = 5_000;

/** Caches sessions for five seconds: screens send several requests at once. Call `forget` on every write that may end a session. */
export function rememberSessions(find: (token: string, attended: boolean) => Promise<Session | undefined>) {
  const known = new Map<string, { session: Session; until: number }>();
  let changes = 0;
  return {
    find: async (token: string, attended = true): Promise<Session | undefined> => {
      const remembered = known.get(token);
      if (remembered && remembered.until > Date.now()) return remembered.session;
      const before = changes;
      const session = await find(token, attended);
      // Skips the cache if anything changed during the read.
      if (session && changes === before) {
        if (known.size >= MAX) known.clear();
        known.set(token, { session, until: Date.now() + MS });
      }
      return session;
    },
    forget: () => {
      changes += 1;
      known.clear();
    },
  };
}
