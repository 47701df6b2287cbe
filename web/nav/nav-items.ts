import type { Role } from '../../contract/policy.ts';
import type { SessionUser } from '../../contract/session/session.ts';
import { SCREENS, type Screen } from '../routes.ts';

export type NavItem = Required<Pick<Screen, 'path' | 'nav'>> & { label: string };
export const GROUPS = [
  { group: 'main', heading: 'Navegación' },
  { group: 'admin', heading: 'Administración' },
] as const;

const items: NavItem[] = SCREENS.flatMap(({ path, title, nav }: Screen) => (nav ? [{ path, nav, label: nav.label ?? title }] : []));

/** Menu of a role, with what `session` has; only the Dashboard at `/` for an unknown role. */
export function itemsFor(role: Role, session: Pick<SessionUser, 'contra_reembolso' | 'caja' | 'envios'> = {}): NavItem[] {
  const own = items.filter(({ nav }) => nav.roles.includes(role) && (nav.needs?.some((one) => session[one]) ?? true));
  return own.length ? own : items.filter(({ path }) => path === '/');
}

/** Menu entry of an address: the longest path that is a prefix of whole segments; `/` matches only itself. */
export function activePath(pathname: string, among: readonly Pick<NavItem, 'path'>[]): string | undefined {
  const matches = among.map(({ path }) => path).filter((path) => pathname === path || (path !== '/' && pathname.startsWith(`${path}/`)));
  return matches.toSorted((a, b) => b.length - a.length)[0];
}
