import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changePassword } from '../../contract/account/account.ts';
import { login } from '../../contract/session/session.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { updateUser } from '../../contract/users/users.ts';
import { PASSWORD } from '../../test/builders.ts';
import type { Client } from '../../test/client.ts';
import { createWorld, type World } from '../../test/world.ts';
import { COST, hashPassword } from './passwords.ts';

/* Throttling slows down guesses of passwords without locking out other people. */

let world: World;
beforeAll(async () => {
  world = await createWorld({ TRUST_PROXY: '127.0.0.1/32' });
  // Hundreds of passwords are verified here, so hashing is made cheap.
  const dear = { ...COST };
  Object.assign(COST, { memory: 64, passes: 1 });
  return async () => {
    Object.assign(COST, dear);
    await world.close();
  };
});
beforeEach(() => world.reset());

const WRONG = 'no es esta';
let serial = 0;
/** Creates a person whose password is cheap to verify. */
const somebody = async (fields: { email?: string; username?: string } = {}) =>
  world.user({ role: 'revendedor', password_hash: await hashPassword(PASSWORD), ...fields });
const anyAddress = () => `198.${18 + (++serial >> 16)}.${(serial >> 8) & 255}.${serial & 255}`;
const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });
const tryAs = (client: Client, email: string, password: string, ip: string) =>
  client.call(login, { body: { email, password }, ...from(ip) });
const tryIt = (email: string, password: string, ip: string) => tryAs(world.nobody(), email, password, ip);
async function fail(times: number, email: () => string, ip: () => string) {
  const statuses = [];
  for (let i = 0; i < times; i += 1) statuses.push((await tryIt(email(), WRONG, ip())).status);
  return statuses;
}
/** Moves the throttle’s clock. */
const later = (seconds: number) =>
  sql`UPDATE login_attempts SET last_at = last_at - make_interval(secs => ${seconds}), blocked_until = blocked_until - make_interval(secs => ${seconds})`.execute(
    world.db,
  );

describe('an account under attack', () => {
  it('an account under attack has about forty passwords verified in an hour, from all addresses together', async () => {
    await somebody({ email: 'ana@tienda.es', username: 'ana.gil' });
    const names = ['ana@tienda.es', 'ana.gil', 'ANA@tienda.es', 'Ana.Gil'];
    let [seconds, verified] = [0, 0];
    while (seconds < 3600) {
      const { status, headers } = await tryIt(names[verified % 4] ?? '', WRONG, anyAddress());
      if (status === 401) verified += 1;
      else {
        const wait = Number(headers['retry-after']);
        expect(wait).toBeLessThanOrEqual(900);
        await later(wait);
        seconds += wait;
      }
    }
    expect(verified).toBeGreaterThan(20);
    expect(verified).toBeLessThanOrEqual(45);
  });

  it('an account under attack is not locked for days if the clock was ahead', async () => {
    const { email } = await somebody();
    await fail(
      25,
      () => email,
      () => '203.0.113.9',
    );
    expect((await tryIt(email, PASSWORD, '203.0.113.9')).status).toBe(429);
    await later(-10 * 24 * 3600);
    expect((await tryIt(email, WRONG, '203.0.113.9')).status).toBe(401);
    // The next failure uses the corrected clock, and the count decays as usual.
    const { status, headers } = await tryIt(email, WRONG, '203.0.113.9');
    expect([status, Number(headers['retry-after']) <= 900]).toEqual([429, true]);
    await later(2 * 3600);
    expect((await tryIt(email, PASSWORD, '203.0.113.9')).status).toBe(200);
  });

  it('an account under attack lets its owner sign in from a browser used before', async () => {
    const [ana, luis] = [await somebody(), await somebody()];
    const [phone, stranger] = [world.nobody(), world.nobody()];
    expect((await tryAs(phone, ana.email, PASSWORD, '203.0.113.1')).status).toBe(200);
    expect((await tryAs(stranger, luis.email, PASSWORD, '203.0.113.2')).status).toBe(200);
    await fail(
      50,
      () => ana.email,
      () => anyAddress(),
    );
    expect((await tryIt(ana.email, PASSWORD, '203.0.113.3')).status).toBe(429);
    const cookie = `enruta-equipo-${luis.id}`;
    stranger.cookies.set(`enruta-equipo-${ana.id}`, stranger.cookies.get(cookie) ?? '');
    expect((await tryAs(stranger, ana.email, PASSWORD, '203.0.113.2')).status).toBe(429);
    expect((await tryAs(phone, ana.email, PASSWORD, '203.0.113.4')).status).toBe(200);
    // The owner can also confirm the password inside a session.
    const body = { current_password: PASSWORD, password: 'otra clave de pruebas' };
    await fail(
      50,
      () => ana.email,
      () => anyAddress(),
    );
    expect((await phone.call(changePassword, { body, ...from('203.0.113.4') })).status).toBe(200);
  });

  it('an account is open again a quarter of an hour after an attack, and a success clears the failures', async () => {
    const { email } = await somebody();
    await fail(30, () => email, anyAddress);
    expect((await tryIt(email, PASSWORD, '203.0.113.1')).status).toBe(429);
    await later(900);
    expect((await tryIt(email, PASSWORD, '203.0.113.1')).status).toBe(200);
    expect(
      await world.db
        .selectFrom('login_attempts')
        .select('key')
        .where('key', 'not like', 'red|%')
        .where('key', 'not like', 'par|%')
        .execute(),
    ).toEqual([]);
  });
});

describe('a browser used before', () => {
  it('a browser used before has its own limit of attempts, and a cookie hidden from scripts', async () => {
    const admin = await world.as('superadmin');
    await admin.call(updateSettings, { body: { maxLoginAttempts: 3 } });
    const ana = await somebody();
    const phone = world.nobody();
    const { headers } = await tryAs(phone, ana.email, PASSWORD, '203.0.113.1');
    const line = [headers['set-cookie']].flat().find((cookie) => cookie?.startsWith(`enruta-equipo-${ana.id}=`));
    expect(line).toMatch(/Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax/);
    for (let i = 0; i < 3; i += 1) expect((await tryAs(phone, ana.email, WRONG, anyAddress())).status).toBe(401);
    expect((await tryAs(phone, ana.email, PASSWORD, anyAddress())).status).toBe(429);
    // Failures on the phone lock out no other browser.
    expect((await tryIt(ana.email, PASSWORD, '203.0.113.1')).status).toBe(200);
  });

  it('a browser used before becomes unknown with a new password', async () => {
    const admin = await world.as('superadmin');
    const ana = await somebody();
    const phone = world.nobody();
    await tryAs(phone, ana.email, PASSWORD, '203.0.113.1');
    const { full_name, email, id } = ana;
    const password = 'una clave nueva';
    expect((await admin.call(updateUser, { params: { id }, body: { full_name, email, is_active: true, password } })).status).toBe(200);
    await fail(30, () => email, anyAddress);
    await phone.request('GET', '/api/csrf-token');
    expect((await tryAs(phone, email, password, '203.0.113.1')).status).toBe(429);
  });
});

describe('an office behind one address', () => {
  it('an office behind one address can sign in after twenty-five wrong names, and from known browsers after a flood', async () => {
    const [ana, luis] = [await somebody(), await somebody()];
    const desk = world.nobody();
    await tryAs(desk, luis.email, PASSWORD, '203.0.113.9');
    const anyName = () => `nadie${++serial}@x.es`;
    expect(new Set(await fail(25, anyName, () => '203.0.113.9'))).toEqual(new Set([401]));
    expect((await tryIt(ana.email, PASSWORD, '203.0.113.9')).status).toBe(200);
    await fail(90, anyName, () => '203.0.113.9');
    expect((await tryIt(ana.email, PASSWORD, '203.0.113.9')).status).toBe(429);
    expect((await tryAs(desk, luis.email, PASSWORD, '203.0.113.9')).status).toBe(200);
    await later(3600);
    expect((await tryIt(ana.email, PASSWORD, '203.0.113.9')).status).toBe(200);
  });

  it('an IPv6 /64 network is throttled as one address, apart from its neighbours', async () => {
    const { email } = await somebody();
    const statuses = await fail(
      6,
      () => email,
      () => `2001:db8:7:1::${(++serial).toString(16)}`,
    );
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await tryIt(email, WRONG, '2001:db8:7:1:ffff:ffff:ffff:ffff')).status).toBe(429);
    expect((await tryIt(email, PASSWORD, '2001:db8:7:2::1')).status).toBe(200);
  });
});

it('a failure every quarter of an hour is never throttled, because failures decay', async () => {
  const { email } = await somebody();
  for (let i = 0; i < 20; i += 1) {
    expect((await tryIt(email, WRONG, '203.0.113.1')).status).toBe(401);
    await later(800);
  }
});

it('responses do not reveal which accounts exist, and typed names are not stored', async () => {
  const { email } = await somebody();
  const answers = async (name: string) => {
    const replies = [];
    for (let i = 0; i < 7; i += 1) {
      const { status, text, headers } = await tryIt(name, WRONG, '203.0.113.1');
      replies.push([status, text.replace(/\d+ segundos/, 'N segundos'), 'retry-after' in headers]);
    }
    return replies;
  };
  expect(await answers(email)).toEqual(await answers('mi-clave-secreta'));
  const keys = await world.db.selectFrom('login_attempts').select('key').execute();
  expect(JSON.stringify(keys)).not.toContain('mi-clave-secreta');
});
