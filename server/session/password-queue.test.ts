import { beforeAll, beforeEach, expect, it } from 'vitest';
import { changePassword } from '../../contract/account/account.ts';
import type { Role } from '../../contract/policy/policy.ts';
import { login } from '../../contract/session/session.ts';
import { PASSWORD } from '../../test/builders.ts';
import { createWorld, type World } from '../../test/world.ts';
import { COST, hashPassword } from './passwords.ts';

/* Verifying a password is costly, so a flood of requests must not delay the sign-ins of other people. */

let world: World;
beforeAll(async () => {
  world = await createWorld({ TRUST_PROXY: '127.0.0.1/32' });
  const dear = { ...COST };
  Object.assign(COST, { memory: 1024, passes: 1 });
  return async () => {
    Object.assign(COST, dear);
    await world.close();
  };
});
beforeEach(() => world.reset());

/** Creates a person whose password is cheap to verify. */
const quick = async (role: Role) => world.user({ role, password_hash: await hashPassword(PASSWORD) });

it('eighty requests of one reseller delay no sign-in', async () => {
  const [busy, other] = [await world.as(await quick('revendedor')), await quick('transportista')];
  await busy.request('GET', '/api/csrf-token');
  const body = { current_password: PASSWORD, password: PASSWORD };
  const flood = Array.from({ length: 80 }, () => busy.call(changePassword, { body }));
  const order: string[] = [];
  const signsIn = world
    .nobody()
    .call(login, { body: { email: other.email, password: PASSWORD } })
    .then(({ status }) => order.push(`other ${status}`));
  const statuses = await Promise.all(flood.map(async (reply) => (await reply).status)).finally(() => order.push('flood'));
  await signsIn;
  expect(order).toEqual(['other 200', 'flood']);
  expect(new Set(statuses)).toEqual(new Set([422]));
});

it('eighty guesses at as many names delay no sign-in from another address', async () => {
  const { email } = await quick('revendedor');
  const guess = (n: number) => world.nobody().call(login, { body: { email: `nadie${n}@x.es`, password: 'x' } });
  const flood = Array.from({ length: 80 }, (_, n) => guess(n));
  const order: string[] = [];
  const elsewhere = world
    .nobody()
    .call(login, { body: { email, password: PASSWORD }, headers: { 'x-forwarded-for': '203.0.113.1' } })
    .then(({ status }) => order.push(`elsewhere ${status}`));
  const statuses = await Promise.all(flood.map(async (reply) => (await reply).status)).finally(() => order.push('flood'));
  await elsewhere;
  expect(order).toEqual(['elsewhere 200', 'flood']);
  expect(new Set(statuses)).toEqual(new Set([401]));
});
