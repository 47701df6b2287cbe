import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { createPedido } from '../../contract/pedidos/pedidos.ts';
import { getUser, logout } from '../../contract/session/session.ts';
import { updateUser } from '../../contract/users/users.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { buildApp } from '../app.ts';
import { rememberSessions } from './remember.ts';
import type { Session } from './sessions.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());
afterEach(() => vi.useRealTimers());

/** Requests as `person` without the test client, which would clear the cache first. */
const asks = async ({ cookies }: Person, app = world.app) => {
  const { statusCode } = await app.inject({ url: getUser.path, headers: { cookie: `enruta=${cookies.get('enruta')}` } });
  return statusCode;
};

describe('the session cache', () => {
  it('the session cache keeps a session for five seconds', async () => {
    // Runs without notifications, because the notification of the sign-in could arrive late and clear the cache.
    const deaf = await buildApp({ ...world.process, listen: async () => async () => {} });
    const person = await world.as('revendedor');
    vi.useFakeTimers({ toFake: ['Date'] });
    expect(await asks(person, deaf)).toBe(200);
    await world.db.deleteFrom('sessions').execute();
    vi.setSystemTime(Date.now() + 4_999);
    expect(await asks(person, deaf)).toBe(200);
    vi.setSystemTime(Date.now() + 1);
    expect(await asks(person, deaf)).toBe(401);
    await deaf.close();
  });

  it('the session cache forgets a person deactivated through the same instance before the response', async () => {
    const admin = await world.as('superadmin');
    const person = await world.as('revendedor');
    expect(await asks(person)).toBe(200);
    const { full_name, email } = person.user;
    const off = await admin.call(updateUser, { params: { id: person.user.id }, body: { full_name, email, is_active: false } });
    expect([off.status, await asks(person)]).toEqual([200, 401]);
  });

  it('the session cache is cleared by any write through the same instance, except writes of orders', async () => {
    const deaf = await buildApp({ ...world.process, listen: async () => async () => {} });
    const person = await world.as('revendedor');
    expect(await asks(person, deaf)).toBe(200);
    await world.db.deleteFrom('sessions').execute();
    expect(await asks(person, deaf)).toBe(200);
    await deaf.inject({ method: createPedido.method, url: createPedido.path });
    expect(await asks(person, deaf)).toBe(200);
    await deaf.inject({ method: logout.method, url: logout.path });
    expect(await asks(person, deaf)).toBe(401);
    await deaf.close();
  });

  it.each(['sessions', 'users', 'settings'] as const)('the session cache is cleared on every instance by a change of %s', async (table) => {
    const other = await buildApp({ ...world.process });
    const person = await world.as('revendedor');
    expect([await asks(person), await asks(person, other)]).toEqual([200, 200]);
    if (table === 'sessions') await world.db.deleteFrom('sessions').execute();
    if (table === 'users') await world.db.updateTable('users').set({ is_active: false }).where('id', '=', person.user.id).execute();
    if (table === 'settings') {
      await world.db.updateTable('sessions').set({ last_seen_at: sql`now() - interval '20 minutes'` }).execute();
      await sql`UPDATE settings SET data = '{"sessionTimeout": 15}'`.execute(world.db);
    }
    await expect.poll(async () => [await asks(person), await asks(person, other)], { timeout: 4000, interval: 20 }).toEqual([401, 401]);
    await other.close();
  });
});

test('a session read during a change is not cached', async () => {
  let alive = true;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const session = { id: 'x' } as Session;
  const sessions = rememberSessions(async () => {
    const found = alive ? session : undefined;
    await answered;
    return found;
  });
  const first = sessions.find('token');
  alive = false;
  sessions.forget();
  answer();
  expect(await first).toBe(session);
  expect(await sessions.find('token')).toBeUndefined();
});
