import { beforeAll, expect, it } from 'vitest';
import { getUser } from '../../contract/session/session.ts';
import { createWorld, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

it.each([getUser.path, '/%61pi/user', '/api/us%65r', '/api/nada', '/%61pi/openapi.json', '/readyz'])(
  'the response of %s is not cached, signed in or not',
  async (path) => {
    for (const client of [world.nobody(), await world.as('superadmin')]) {
      const { headers } = await client.request('GET', path);
      expect(headers['cache-control']).toBe('no-store');
    }
  },
);

it('pages of the web app may be cached, but must be revalidated', async () => {
  for (const path of ['/', '/pedidos']) {
    const { status, headers } = await world.nobody().request('GET', path);
    if (status === 200) expect(headers['cache-control']).toBe('no-cache');
    else expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
  }
});
