import { expect, test } from 'vitest';
import type { Role } from '../contract/policy.ts';
import { PRELOAD } from '../contract/preload.ts';
import { open } from '../test/web/app.tsx';
import { server } from '../test/web/fake-server.ts';
import { SCREENS } from './routes.ts';

/* The head of a page must name the first requests of its screen to the letter; else both are fetched. */

for (const [path, preloads] of Object.entries(PRELOAD))
  for (const { endpoint, query } of preloads)
    test(`${path} asks first for ${endpoint.path}, which its page names`, async () => {
      const roles = SCREENS.find((screen) => screen.path === path)?.roles;
      const role: Role = Array.isArray(roles) ? roles[0] : 'superadmin';
      open(path, role);
      await expect.poll(() => server.asked(endpoint).length).toBeGreaterThan(0);
      expect(server.asked(endpoint)[0]?.query).toEqual(
        Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
      );
    });

test('every role has a first screen that is named', () => {
  const roles = SCREENS.filter(({ path }) => path in PRELOAD).flatMap(({ roles: of, path }) =>
    path === '/' ? (['superadmin'] as const) : (of as readonly Role[]),
  );
  expect(new Set(roles)).toEqual(new Set(['superadmin', 'revendedor', 'transportista']));
});
