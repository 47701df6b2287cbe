import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { live } from '../../contract/live/live.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { UNATTENDED } from '../../contract/session/fields.ts';
import { getUser, login, logout } from '../../contract/session/session.ts';
import { PASSWORD } from '../../test/builders.ts';
import { createWorld, type World } from '../../test/world.ts';
import { deleteOldSessions } from './sessions.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

const WRONG = 'Credenciales incorrectas. Verifica tu usuario y contraseña.';

describe('signing in', () => {
  it('signing in works with e-mail or user name in any case', async () => {
    const user = await world.user({ role: 'revendedor', email: 'ana@tienda.es', username: 'ana.gil' });
    for (const email of ['ana@tienda.es', 'ANA@Tienda.es ', 'Ana.Gil']) {
      const client = world.nobody();
      const reply = await client.call(login, { body: { email, password: PASSWORD } });
      expect([reply.status, reply.body.message]).toEqual([200, '¡Bienvenido!']);
      expect((await client.call(getUser)).body.user).toEqual({
        id: user.id,
        full_name: user.full_name,
        email: 'ana@tienda.es',
        role: 'revendedor',
        mide: true,
        pending: null,
      });
    }
  });

  it('the token of a session is hidden from scripts, and stored only as a hash', async () => {
    const user = await world.user({ role: 'revendedor' });
    const client = world.nobody();
    const { headers } = await client.call(login, { body: { email: user.email, password: PASSWORD } });
    const line = [headers['set-cookie']].flat().find((c) => c?.startsWith('enruta='));
    expect(line).toMatch(/HttpOnly/);
    expect(line).toMatch(/SameSite=Lax/);
    const { token_hash } = await world.db.selectFrom('sessions').select('token_hash').executeTakeFirstOrThrow();
    expect(token_hash).not.toBe(client.cookies.get('enruta'));
  });

  it('signing in gives the same response for unknown, wrong and inactive accounts', async () => {
    const user = await world.user({ role: 'revendedor' });
    const idle = await world.user({ role: 'revendedor', is_active: false });
    const gone = await world.user({ role: 'revendedor', deleted_at: new Date().toISOString() });
    const tries = [
      ['nadie@x.es', PASSWORD],
      [user.email, 'otra cosa'],
      [idle.email, PASSWORD],
      [gone.email, PASSWORD],
    ];
    const replies = await Promise.all(
      tries.map(([email = '', password = '']) => world.nobody().call(login, { body: { email, password } })),
    );
    expect(replies.map((r) => r.status)).toEqual([401, 401, 401, 401]);
    expect(new Set(replies.map((r) => r.text))).toEqual(new Set([JSON.stringify({ message: WRONG, code: 'bad_credentials' })]));
  });

  it('signing in requires name and password', async () => {
    for (const body of [{ email: '', password: 'x' }, { email: 'a@b.es', password: '' }, {}]) {
      const reply = await world.nobody().request('POST', '/api/login', { body });
      expect([reply.status, (reply.body as { message: string }).message]).toEqual([422, 'Todos los campos son obligatorios']);
    }
  });

  it('signing in is throttled after the number of failures in the settings, per account and address', async () => {
    await world.db
      .updateTable('settings')
      .set({ data: JSON.stringify({ maxLoginAttempts: 3 }) as never })
      .execute();
    const [user, other] = [await world.user({ role: 'revendedor' }), await world.user({ role: 'revendedor' })];
    const tryIt = (email: string, password: string) => world.nobody().call(login, { body: { email, password } });
    for (let i = 0; i < 3; i += 1) expect((await tryIt(user.email, 'mal')).status).toBe(401);
    const blocked = await tryIt(user.email, PASSWORD);
    expect(blocked.status).toBe(429);
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(20);
    expect(blocked.body.message).toMatch(/^Demasiados intentos\. Vuelve a probar dentro de \d+ (segundos|minutos)\.$/);
    expect((await tryIt(other.email, PASSWORD)).status).toBe(200);
    await world.db
      .updateTable('login_attempts')
      .set({ blocked_until: new Date(Date.now() - 1000).toISOString() })
      .execute();
    expect((await tryIt(user.email, PASSWORD)).status).toBe(200);
    expect((await world.db.selectFrom('login_attempts').selectAll().where('key', 'like', 'par|%').execute()).length).toBe(0);
  });

  it('thirty concurrent guesses are throttled like sequential guesses', async () => {
    await world.db
      .updateTable('settings')
      .set({ data: JSON.stringify({ maxLoginAttempts: 3 }) as never })
      .execute();
    const { email } = await world.user({ role: 'revendedor' });
    const guess = (n: number) => world.nobody().call(login, { body: { email, password: `intento ${n}` } });
    const replies = await Promise.all(Array.from({ length: 30 }, (_, n) => guess(n)));
    const answered = replies.filter(({ status }) => status !== 429);
    // Two guesses are verified at a time, so some may be under way when the third failure is counted.
    expect(answered.length).toBeLessThanOrEqual(6);
  });
});

describe('a session', () => {
  it('a session ends with the sign-out, for every copy of its cookie', async () => {
    const person = await world.as('revendedor');
    const copy = new Map(person.cookies);
    expect((await person.call(logout)).status).toBe(200);
    const thief = world.nobody();
    for (const [name, value] of copy) thief.cookies.set(name, value);
    expect((await thief.call(getUser)).status).toBe(401);
  });

  it.each([
    ['idle longer than the setting', { last_seen_at: new Date(Date.now() - 31 * 60_000).toISOString() }],
    ['older than twelve hours', { created_at: new Date(Date.now() - 12 * 3600_000 - 1000).toISOString() }],
  ])('a session ends when %s', async (_, set) => {
    const person = await world.as('revendedor');
    expect((await person.call(getUser)).status).toBe(200);
    await world.db.updateTable('sessions').set(set).execute();
    expect((await person.call(getUser)).status).toBe(401);
  });

  it('a session is kept alive by a person’s requests, not by requests of an unattended screen', async () => {
    const person = await world.as('revendedor');
    const last_seen_at = new Date(Date.now() - 20 * 60_000).toISOString();
    await world.db.updateTable('sessions').set({ last_seen_at }).execute();
    const seen = async (url: string, headers: Record<string, string>) => {
      world.app.guard.forgetSessions();
      const cookie = `enruta=${person.cookies.get('enruta')}`;
      const response = await world.app.inject({ url, headers: { ...headers, cookie }, payloadAsStream: true });
      expect(response.statusCode).toBe(200);
      response.stream().destroy();
      return (await world.db.selectFrom('sessions').select('last_seen_at').executeTakeFirstOrThrow()).last_seen_at;
    };
    expect(await seen(getUser.path, { [UNATTENDED]: '1' })).toBe(last_seen_at);
    expect(await seen(live.path, { accept: 'text/event-stream' })).toBe(last_seen_at);
    expect(Date.parse(await seen(getUser.path, {}))).toBeGreaterThan(Date.now() - 60_000);
  });

  it('the idle time of a session follows the setting sessionTimeout', async () => {
    const person = await world.as('revendedor');
    await world.db
      .updateTable('sessions')
      .set({ last_seen_at: new Date(Date.now() - 31 * 60_000).toISOString() })
      .execute();
    await world.db
      .updateTable('settings')
      .set({ data: JSON.stringify({ sessionTimeout: 60 }) as never })
      .execute();
    expect((await person.call(getUser)).status).toBe(200);
  });

  it('a remembered session stays alive unattended, for the days of the settings', async () => {
    const user = await world.user({ role: 'revendedor' });
    const client = world.nobody();
    const { headers } = await client.call(login, { body: { email: user.email, password: PASSWORD, remember: true } });
    const cookies = [headers['set-cookie']].flat().filter((cookie) => /^(enruta|XSRF-TOKEN)=/.test(String(cookie)));
    expect(cookies).toEqual([expect.stringContaining('Max-Age=7776000'), expect.stringContaining('Max-Age=7776000')]);
    const days = async (age: number) => {
      const then = new Date(Date.now() - age * 86_400_000).toISOString();
      await world.db.updateTable('sessions').set({ created_at: then, last_seen_at: then }).execute();
      await deleteOldSessions(world.db);
      world.app.guard.forgetSessions();
      return (await client.call(getUser)).status;
    };
    expect([await days(6), await days(29)]).toEqual([200, 200]);
    await world.db
      .updateTable('settings')
      .set({ data: JSON.stringify({ rememberDays: 7 }) as never })
      .execute();
    expect([await days(6), await days(8)]).toEqual([200, 401]);
  });

  it('a session ends with the browser unless remembered', async () => {
    const user = await world.user({ role: 'revendedor' });
    const { headers } = await world.nobody().call(login, { body: { email: user.email, password: PASSWORD } });
    expect([headers['set-cookie']].flat().filter((cookie) => /^(enruta|XSRF-TOKEN)=.*Max-Age/.test(String(cookie)))).toEqual([]);
  });

  it.each([
    ['transportista', false, true],
    ['revendedor', false, undefined],
    ['revendedor', true, true],
    ['superadmin', true, undefined],
  ] as const)('the device of a %s, remembered: %s, may keep the last responses: %s', async (role, remember, conserva) => {
    const user = await world.user({ role });
    const client = world.nobody();
    await client.call(login, { body: { email: user.email, password: PASSWORD, remember } });
    expect((await client.call(getUser)).body.user.conserva).toBe(conserva);
  });

  it('a session is replaced by a second sign-in in the same browser', async () => {
    const user = await world.user({ role: 'revendedor' });
    const client = world.nobody();
    await client.call(login, { body: { email: user.email, password: PASSWORD } });
    const first = client.cookies.get('enruta');
    await client.call(login, { body: { email: user.email, password: PASSWORD } });
    expect(client.cookies.get('enruta')).not.toBe(first);
    expect(await world.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1);
  });
});

describe('the CSRF token', () => {
  it('the CSRF token is required for every write, and belongs to one session', async () => {
    const [mine, theirs] = [await world.as('superadmin'), await world.as('revendedor')];
    expect((await mine.call(logout, { xsrf: false })).status).toBe(419);
    await theirs.call(logout, { xsrf: false });
    await theirs.request('GET', '/api/csrf-token');
    mine.cookies.set('XSRF-TOKEN', theirs.cookies.get('XSRF-TOKEN') ?? '');
    expect((await mine.call(logout)).status).toBe(419);
    await mine.request('GET', '/api/csrf-token');
    expect((await mine.call(logout)).status).toBe(200);
    expect((await mine.call(listPedidos)).status).toBe(401);
  });

  it('the CSRF token is required to sign in', async () => {
    expect((await world.nobody().call(login, { body: { email: 'a@b.es', password: 'x' }, xsrf: false })).status).toBe(419);
  });
});
