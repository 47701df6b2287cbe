import { beforeAll, beforeEach, expect, test } from 'vitest';
import { getUser, login } from '../../contract/session/session.ts';
import { PASSWORD } from '../../test/builders.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { encrypt } from '../kit/secrets.ts';
import { rescueSuperadmin } from './account.ts';

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
});

const signIn = (password: string) => world.nobody().call(login, { body: { email: admin.user.email, password } });
const change = (values: object) => world.db.updateTable('users').set(values).where('id', '=', admin.user.id).execute();

test('the rescue lets in a superadmin who lost phone and password and has no attempts left', async () => {
  await change({ totp_secret: encrypt('another key, as after a move to a new machine', 'SECRET'), is_active: false });
  for (let i = 0; i < 60; i += 1) await signIn('no es esta');
  expect((await signIn('no es esta')).status).toBe(429);

  const { email, password } = await rescueSuperadmin(world.db, admin.user.email.toUpperCase());
  expect(email).toBe(admin.user.email);
  // 22 characters of base64url hold 128 random bits.
  expect(password).toMatch(/^[\w-]{22}$/);
  await world.db.deleteFrom('login_attempts').where('key', 'like', 'ip|%').execute();
  expect((await signIn(PASSWORD)).status).toBe(401);
  expect((await signIn(password)).status).toBe(200);
  expect((await admin.call(getUser)).status).toBe(401);
  const notes = await world.db.selectFrom('audit_logs').select(['actor_nombre', 'description']).execute();
  expect(notes.map(({ description }) => description)).toContain(`Acceso recuperado desde el servidor: ${admin.user.full_name}`);
  expect(JSON.stringify(notes)).not.toContain(password);
});

test('the rescue refuses people of other roles, whom a superadmin can help', async () => {
  const reseller = await world.user({ role: 'revendedor' });
  await expect(rescueSuperadmin(world.db, reseller.email)).rejects.toThrow(`No hay ningún administrador «${reseller.email}»`);
});
