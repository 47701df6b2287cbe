import type { Role } from '../../contract/policy/policy.ts';
import type { SessionUser } from '../../contract/session/session.ts';
import { SCREENS, type Screen } from '../routes.ts';

export type NavItem = Required<Pick<Screen, 'path' | 'nav'>> & { label: string };
export const GROUPS = [
  { group: 'main', heading: 'Navegación' },
  { group: 'admin', heading: 'Administración' },
] as const;

const items: NavItem[] = SCREENS.flatMap(({ path, title, nav }: Screen) => (nav ? [{ path, nav, label: nav.label ?? title }] : []));

type Session = Pick<SessionUser, 'contra_reembolso' | 'caja' | 'envios' | 'iva'>;

/** Screens of a role that are named in the menu or in another screen, limited to the session's features. */
export const placesFor = (role: Role, session: Session = {}): NavItem[] =>
  items.filter(({ nav }) => nav.roles.includes(role) && (nav.needs?.some((need) => session[need]) ?? true));

/** Menu of a role; only the Dashboard at `/` for an unknown role. */
export function itemsFor(role: Role, session: Session = {}): NavItem[] {
  const own = placesFor(role, session).filter(({ nav }) => nav.within?.role !== role);
  return own.length ? own : items.filter(({ path }) => path === '/');
}

/** A screen of the menu and its parts, in order; empty if the screen has no parts. */
export function screenParts(path: string, role: Role, session: Session): NavItem[] {
  const places = placesFor(role, session);
  const parts = places.filter(({ nav }) => nav.within?.role === role && nav.within.path === path);
  return parts.length ? [...places.filter((place) => place.path === path), ...parts] : [];
}

/** Menu entry to highlight at an address: a part of a screen highlights that screen. */
export function highlightedItem(pathname: string, role: Role, session: Session): string | undefined {
  const places = placesFor(role, session);
  const active = activePath(pathname, [...itemsFor(role, session), ...places]);
  const within = places.find(({ path }) => path === active)?.nav.within;
  return within?.role === role ? within.path : active;
}

/** Menu entry of an address: the longest path that is a prefix of whole segments; `/` matches only itself. */
export function activePath(pathname: string, among: readonly Pick<NavItem, 'path'>[]): string | undefined {
  const matches = among.map(({ path }) => path).filter((path) => pathname === path || (path !== '/' && pathname.startsWith(`${path}/`)));
  return matches.toSorted((a, b) => b.length - a.length)[0];
}
