import axe from 'axe-core';
import { createRoot, type Root } from 'react-dom/client';
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import type { Role } from '../../contract/policy.ts';
import { getUser, type SessionUser } from '../../contract/session.ts';
import { queryClient } from '../../web/api.ts';
import { App } from '../../web/app.tsx';
import { createAppRouter } from '../../web/router.tsx';
import { server } from './fake-server.ts';

const NAMES: Record<Role, string> = { superadmin: 'Ada Ruiz', revendedor: 'Rita Sanz', transportista: 'Tomás Gil' };

/** The signed-in person of a role, as the server answers `GET /api/user`. */
export const person = (role: Role): SessionUser => ({
  id: `00000000-0000-4000-8000-0000000000a${Object.keys(NAMES).indexOf(role)}`,
  full_name: NAMES[role],
  email: `${role}@enruta.test`,
  role,
  pending: null,
});

let shown: { root: Root; container: Element } | undefined;

/** Opens the program at an address, signed in with `role` or signed out. Set the answers of `server` before. */
export function open(address: string, role: Role | 'nobody' = 'superadmin'): void {
  close();
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser
  document.cookie = `XSRF-TOKEN=x; Path=/${role === 'nobody' ? '; Max-Age=0' : ''}`;
  if (role !== 'nobody')
    server.answer(getUser, {
      user: person(role),
      negocio: { timezone: 'Europe/Madrid', theme: 'light', primaryColor: '#3b82f6', compactMode: false },
    });
  history.replaceState(null, '', address);
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  root.render(<App router={createAppRouter()} />);
  shown = { root, container };
}

/** Closes the program: its memory is gone, the browser's storage stays. */
export function close(): void {
  shown?.root.unmount();
  shown?.container.remove();
  shown = undefined;
  queryClient.clear();
}

/** Reloads the page. */
export const reload = (role?: Role | 'nobody'): void => open(address(), role);

/** The program's address: path and search. */
export const address = (): string => location.pathname + location.search;

/** Sets the window of a telephone or of a desk. */
export const onPhone = (): Promise<void> => page.viewport(390, 844);
export const onDesk = (): Promise<void> => page.viewport(1440, 900);

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Checks the page, or a part of it, against WCAG 2.2 AA, as far as axe can tell. */
export async function expectAccessible(within: Element = document.body): Promise<void> {
  const { violations } = await axe.run(within, { runOnly: WCAG, resultTypes: ['violations'] });
  const readable = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map((n) => `    ${n.target.join(' ')}  ${n.failureSummary}`).join('\n')}`,
  );
  expect(readable).toEqual([]);
}
