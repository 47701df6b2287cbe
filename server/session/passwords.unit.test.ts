import { expect, it } from 'vitest';
import { COST, hashPassword, verifyPassword } from './passwords.ts';

it('a password hash has the cost that OWASP recommends, and matches only its password', async () => {
  const hash = await hashPassword('una buena clave');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect([await verifyPassword('una buena clave', hash), await verifyPassword('otra clave', hash)]).toEqual([true, false]);
});

it('a flood at startup does not break later verifications for unknown names', async () => {
  Object.assign(COST, { memory: 64, passes: 1 });
  const flood = await Promise.allSettled(Array.from({ length: 300 }, () => verifyPassword('x', undefined)));
  expect(flood.some(({ status }) => status === 'rejected')).toBe(true);
  expect(await verifyPassword('x', undefined)).toBe(false);
});
