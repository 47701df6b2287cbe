import type { Session } from './sessions.ts';

/** Channel notified by the triggers on sessions, users and settings (migration 007). */
export const SESSIONS_CHANNEL = 'enruta_sesiones';
// Bounds how stale a session may be when a notification from another instance is lost.
const MS = 5_000;
const MAX = 5_000;

/**
 * Caches sessions for five seconds: a screen sends several requests at once, and the lookup costs as much as
 * most of them. Call `forget` on every local write that may end one and on every notification from elsewhere.
 */
export function rememberSessions(find: (token: string, attended: boolean) => Promise<Session | undefined>) {
  const known = new Map<string, { session: Session; until: number }>();
  let changes = 0;
  return {
    find: async (token: string, attended = true): Promise<Session | undefined> => {
      const remembered = known.get(token);
      if (remembered && remembered.until > Date.now()) return remembered.session;
      const before = changes;
      const session = await find(token, attended);
      // Do not cache a session read while something changed: it may predate the change.
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
