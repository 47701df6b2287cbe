import axe from 'axe-core';
import { createRoot, type Root } from 'react-dom/client';
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import type { Role } from '../../contract/policy/policy.ts';
import { getUser, type SessionUser } from '../../contract/session/session.ts';
import { queryClient } from '../../web/api.ts';
import { App } from '../../web/app.tsx';
import { createAppRouter } from '../../web/router.tsx';
import { server } from './fake-server.ts';

const NAMES: Record<Role, string> = { superadmin: 'Ada Ruiz', revendedor: 'Rita Sanz', transportista: 'Tomás Gil' };

/** The signed-in user of a role, as `GET /api/user` returns it. */
export const person = (role: Role): SessionUser => ({
  id: `00000000-0000-4000-8000-0000000000a${Object.keys(NAMES).indexOf(role)}`,
  full_name: NAMES[role],
  email: `${role}@enruta.test`,
  role,
  pending: null,
  ...(role === 'transportista' && { conserva: true }),
});

let shown: { root: Root; container: Element } | undefined;

/** Renders the app at an address, signed in as `role` or signed out. Set the answers of `server` first. */
export function open(address: string, role: Role | 'nobody' = 'superadmin', fields: Partial<SessionUser> = {}): void {
  close();
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser
  document.cookie = `XSRF-TOKEN=x; Path=/${role === 'nobody' ? '; Max-Age=0' : ''}`;
  if (role !== 'nobody')
    server.answer(getUser, {
      user: { ...person(role), ...fields },
      negocio: { timezone: 'Europe/Madrid', theme: 'light', primaryColor: '#3b82f6', compactMode: false },
    });
  history.replaceState(null, '', address);
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  root.render(<App router={createAppRouter()} />);
  shown = { root, container };
}

/** Unmounts the app and clears its memory; the browser's storage stays. */
export function close(): void {
  shown?.root.unmount();
  shown?.container.remove();
  shown = undefined;
  queryClient.clear();
}

export const reload = (role?: Role | 'nobody'): void => open(address(), role);

export const address = (): string => location.pathname + location.search;

/** Closes every toast, because a toast under the pointer never expires and can cover the next button. */
export function closeToasts(): void {
  for (const button of page.getByRole('button', { name: 'Cerrar aviso' }).elements()) (button as HTMLElement).click();
}

export const onPhone = (): Promise<void> => page.viewport(390, 844);
export const onDesk = (): Promise<void> => page.viewport(1440, 900);

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
// Best practices, which no WCAG tag includes.
const LANDMARKS = { 'landmark-no-duplicate-banner': { enabled: true }, 'landmark-unique': { enabled: true } };

/** Returns the open dialog, if any. The screen behind is inert, and has its own checks. */
const openDialog = (): Element | undefined => [...document.querySelectorAll('[aria-modal=true]')].at(-1);

/** Header and navigation around a screen. */
const FRAME = 'header:not(main *), aside:not(main *)';

/** True for a target that a bar covered only until it was scrolled to. */
async function isWholeInSight({ target, failureSummary = '' }: axe.NodeResult): Promise<boolean> {
  const element = failureSummary.includes('partially obscured') && document.querySelector(String(target[0]));
  if (!element) return false;
  element.scrollIntoView({ block: 'center' });
  return (await axe.run(element, { runOnly: { type: 'rule', values: ['target-size'] } })).violations.length === 0;
}

/**
 * Asserts that an element passes axe's WCAG 2.2 AA rules, and that a screen reader can tell its landmarks apart. Checks the open dialog by
 * default, or else the page without its frame, which e2e/pantallas.spec.ts checks once a screen.
 */
export async function expectAccessible(within: Element = openDialog() ?? document.body): Promise<void> {
  // Rows of the last answer are paler while the next one is asked for.
  await expect.poll(() => within.querySelector('[data-busy]')).toBeNull();
  const exclude = within === document.body ? [...document.querySelectorAll(FRAME)] : [];
  const { violations } = await axe.run({ include: [within], exclude }, { runOnly: WCAG, rules: LANDMARKS, resultTypes: ['violations'] });
  const still: typeof violations = [];
  for (const violation of violations) {
    const nodes = [];
    for (const node of violation.nodes) if (!(await isWholeInSight(node))) nodes.push(node);
    if (nodes.length) still.push({ ...violation, nodes });
  }
  const readable = still.map(
    ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map((n) => `    ${n.target.join(' ')}  ${n.failureSummary ?? ''}`).join('\n')}`,
  );
  expect(readable).toEqual([]);
}
