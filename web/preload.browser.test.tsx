import { expect, test } from 'vitest';
import { ROLES } from '../contract/policy/policy.ts';
import { PRELOAD } from '../contract/preload/preload.ts';
import { open } from '../test/web/app.tsx';
import { server } from '../test/web/fake-server.ts';
import { homePath, mayOpen } from './access.ts';
import { SCREENS } from './routes.ts';

/* A page's head must preload exactly the URLs that its screen requests first: a mismatch would fetch both. */

for (const [path, { asks, roles }] of Object.entries(PRELOAD))
  for (const { endpoint, query } of asks)
    test(`the screen ${path} requests ${endpoint.path} at first with the query that its page preloads`, async () => {
      open(path, roles[0]);
      const preloaded = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
      await expect.poll(() => server.asked(endpoint).map((asked) => asked.query)).toContainEqual(preloaded);
    });

test('the preloads of a screen name exactly the roles that may open the screen, and cover every role', () => {
  const named = Object.entries(PRELOAD);
  expect(new Set(named.flatMap(([, { roles }]) => roles))).toEqual(new Set(ROLES));
  for (const [path, { roles }] of named) {
    const screen = SCREENS.find((candidate) => candidate.path === path);
    const may = ROLES.filter((role) => screen && mayOpen(screen, { role }) && (path !== '/' || homePath({ role }) === '/'));
    expect([...roles].sort(), path).toEqual(may.sort());
  }
});
