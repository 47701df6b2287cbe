import { expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

it('a hash costs what OWASP recommends, and is of its password alone', async () => {
  const hash = await hashPassword('una buena clave');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect([await verifyPassword('una buena clave', hash), await verifyPassword('otra clave', hash)]).toEqual([true, false]);
});
