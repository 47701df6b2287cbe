import type { Session } from './sessions.ts';

/** What the triggers on sessions, users and settings say (migration 007). */
export const SESSIONS_CHANNEL = 'enruta_sesiones';
// How late this instance may be if the word of a change is lost, and not one of its own.
const MS = 5_000;
const MAX = 5_000;

/**
 * Remembers sessions for five seconds: a screen asks several things at once, and looking up who asks costs as
 * much as most answers. `forget` is for every write here and for every word of a change from elsewhere.
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
      // What was read while something changed may be from before it.
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
