import type { Feature } from '../kit/feature.ts';
import { forgetOldInvitations } from './invitations.ts';
import { sessionRoutes } from './session.routes.ts';
import { forgetOldSessions } from './sessions.ts';
import { forgetOldFailures } from './throttle.ts';
import { countUnknown } from './unknown-logins.ts';

/** Sign-in, sessions, second factor and throttling of guesses. */
export const sessionFeature: Feature = {
  name: 'session',
  tables: {
    users: 'kept',
    recovery_codes: 'kept',
    sessions: 'passing',
    login_attempts: 'passing',
    one_time_tokens: 'passing',
    unknown_logins: 'apart',
  },
  routes: sessionRoutes,
  clean: async (db) => {
    await forgetOldSessions(db);
    await forgetOldFailures(db);
    await forgetOldInvitations(db);
    await countUnknown(db, 0);
  },
};
