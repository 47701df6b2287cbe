import { HOME } from '../contract/policy/policy.ts';
import type { SessionUser } from '../contract/session/session.ts';
import { SCREENS, type Screen } from './routes.ts';

/* Decides which screens a role may open, and where sign-in leads (specification, section 2.1). */

/** Home screen of a role; `/` for an unknown one. */
export const homePath = (user: Pick<SessionUser, 'role'>): string => HOME[user.role] ?? '/';

export const mayOpen = (screen: Pick<Screen, 'roles'>, user: Pick<SessionUser, 'role'>): boolean =>
  screen.roles === 'public' || screen.roles === 'session' || screen.roles.includes(user.role);

const segments = (path: string) => path.split('/').filter(Boolean);

/** Finds the screen of an address; a literal path wins over a parameter, as in the router. */
export function findScreen(pathname: string): Screen | undefined {
  const wanted = segments(pathname);
  const matches = SCREENS.filter(({ path }) => {
    const own = segments(path);
    return own.length === wanted.length && own.every((segment, i) => segment.startsWith('$') || segment === wanted[i]);
  });
  return matches.find(({ path }) => !path.includes('$')) ?? matches[0];
}

/** Address to open after sign-in: `volver` for a signed-in screen that the role may open, else home. */
export function destinationAfterSignIn(user: Pick<SessionUser, 'role'>, volver: unknown): string {
  const home = homePath(user);
  // Browsers read `//host` and `/\host` as other sites.
  if (typeof volver !== 'string' || !/^\/(?![/\\])/.test(volver)) return home;
  const { origin, pathname } = new URL(volver, location.origin);
  const screen = origin === location.origin ? findScreen(pathname) : undefined;
  return screen && screen.roles !== 'public' && mayOpen(screen, user) ? volver : home;
}
