import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changePassword, closeOtherSessions, getAccount, listSessions } from '../../contract/account/account.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { getUser, login } from '../../contract/session/session.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { PASSWORD } from '../../test/builders.ts';
import { createWorld, everyRole, type Person, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

const NEW = 'otra clave de pruebas';
const DAY = 24 * 3600_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString();
const change = (person: Person, current_password: string, password: string) =>
  person.call(changePassword, { body: { current_password, password } });
const signIn = (email: string, password: string) => world.nobody().call(login, { body: { email, password } });
const isIn = async (person: Person) => (await person.call(getUser)).status === 200;
const set = async (data: object) => {
  const admin = await world.as('superadmin');
  expect((await admin.call(updateSettings, { body: data })).status).toBe(200);
};

test('every person reads only their own account', async () => {
  for (const { user, call } of Object.values(await everyRole(world))) {
    expect((await call(getAccount)).body.data).toEqual({
      full_name: user.full_name,
      email: user.email,
      role: user.role,
      password_changed_at: user.password_changed_at,
      password_expires_at: new Date(Date.parse(user.password_changed_at) + 90 * DAY).toISOString(),
      second_factor: false,
      second_factor_required: false,
      recovery_codes_left: 0,
    });
  }
});

describe('a new password', () => {
  test('a new password is valid at once and ends every session but the current session', async () => {
    const user = await world.user({ role: 'transportista', password_changed_at: daysAgo(10) });
    const [desk, phone, other] = [await world.as(user), await world.as(user), await world.as('revendedor')];
    expect(await change(desk, PASSWORD, NEW)).toMatchObject({ status: 200, body: { message: 'Contraseña cambiada' } });
    expect([await isIn(desk), await isIn(phone), await isIn(other)]).toEqual([true, false, true]);
    expect([(await signIn(user.email, PASSWORD)).status, (await signIn(user.email, NEW)).status]).toEqual([401, 200]);
    const { password_changed_at } = (await desk.call(getAccount)).body.data;
    expect(Date.now() - Date.parse(password_changed_at)).toBeLessThan(60_000);
    const log = await world.db.selectFrom('audit_logs').select(['description', 'actor_user_id']).where('action', '=', 'update').execute();
    expect(log).toEqual([{ description: 'Contraseña propia cambiada', actor_user_id: user.id }]);
  });

  test.each([
    ['a wrong current password', 'no es esta', NEW, 'current_password', 'La contraseña actual no es correcta'],
    ['the current password again', PASSWORD, PASSWORD, 'password', 'La contraseña nueva tiene que ser distinta de la actual'],
    ['a short password', PASSWORD, 'corta', 'password', 'La contraseña debe tener al menos 6 caracteres'],
    ['a common password', PASSWORD, 'qwerty123', 'password', 'Esa contraseña es demasiado común: elige otra'],
  ])('changing the password is refused for %s, under the field concerned', async (_, current, password, field, sentence) => {
    const person = await world.as('revendedor');
    const { status, body } = await change(person, current, password);
    expect([status, body.errors]).toEqual([422, { [field]: [sentence] }]);
    expect((await signIn(person.user.email, PASSWORD)).status).toBe(200);
  });

  test('a new password that is the name of the shop with digits is refused', async () => {
    await set({ companyName: 'Olivares del Sur' });
    const { status, body } = await change(await world.as('revendedor'), PASSWORD, 'olivares-2026');
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['password']]);
  });

  test('changing the password is refused after too many wrong attempts at the current password', async () => {
    await set({ maxLoginAttempts: 3 });
    const person = await world.as('revendedor');
    for (let i = 0; i < 3; i += 1) expect((await change(person, 'no es esta', NEW)).status).toBe(422);
    const blocked = await change(person, PASSWORD, NEW);
    expect([blocked.status, Number(blocked.headers['retry-after']) > 20]).toEqual([429, true]);
    const denied = await world.db.selectFrom('audit_logs').select('description').where('action', '=', 'denied').execute();
    expect(denied).toHaveLength(3);
  });

  test('changing the password is refused if a concurrent change came first', async () => {
    const user = await world.user({ role: 'revendedor' });
    const person = await world.as(user);
    const statuses = (await Promise.all([change(person, PASSWORD, 'una de las dos'), change(person, PASSWORD, 'otra de las dos')])).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.toSorted()[1]).toBeGreaterThanOrEqual(409);
  });
});

describe('an expired password', () => {
  test('an expired password gives access to nothing but «Mi cuenta» until changed', async () => {
    const person = await world.as(await world.user({ role: 'superadmin', password_changed_at: daysAgo(91) }));
    expect((await person.call(getUser)).body.user.pending).toBe('password');
    const { status, body } = await person.call(listPedidos);
    expect([status, body]).toEqual([
      403,
      { message: 'Tu contraseña ha caducado: cámbiala en «Mi cuenta» para seguir', code: 'pending_password' },
    ]);
    expect((await change(person, PASSWORD, NEW)).status).toBe(200);
    expect([(await person.call(getUser)).body.user.pending, (await person.call(listPedidos)).status]).toEqual([null, 200]);
  });

  test('a password expires after the days of the setting, or never if the setting is 0', async () => {
    const person = await world.as(await world.user({ role: 'revendedor', password_changed_at: daysAgo(91) }));
    const pending = async () => [
      (await person.call(getUser)).body.user.pending,
      (await person.call(getAccount)).body.data.password_expires_at?.slice(0, 10) ?? null,
    ];
    expect(await pending()).toEqual(['password', daysAgo(1).slice(0, 10)]);
    await set({ passwordExpiry: 92 });
    expect(await pending()).toEqual([null, daysAgo(-1).slice(0, 10)]);
    await set({ passwordExpiry: 30 });
    expect(await pending()).toEqual(['password', daysAgo(61).slice(0, 10)]);
    await set({ passwordExpiry: 0 });
    expect(await pending()).toEqual([null, null]);
  });
});

describe('the sessions of a person', () => {
  test('the open sessions of a person are listed, the current session first', async () => {
    const user = await world.user({ role: 'revendedor' });
    await world.as(user);
    await world.db
      .updateTable('sessions')
      .set({ last_seen_at: daysAgo(1), user_agent: 'an old one' })
      .execute();
    const phone = await world.as(user);
    await world.db.updateTable('sessions').set({ user_agent: 'phone' }).where('user_agent', '=', 'test').execute();
    const desk = await world.as(user);
    await world.as('revendedor');
    const { data } = (await desk.call(listSessions)).body;
    expect(data.map(({ user_agent, actual, ip }) => [user_agent, actual, ip])).toEqual([
      ['test', true, '127.0.0.1'],
      ['phone', false, '127.0.0.1'],
    ]);
    expect(Object.keys(data[0] ?? {}).toSorted()).toEqual(['actual', 'created_at', 'ip', 'last_seen_at', 'user_agent']);
    expect((await phone.call(listSessions)).body.data.map(({ user_agent }) => user_agent)).toEqual(['phone', 'test']);
  });

  test('a person can end all their sessions except the current session', async () => {
    const user = await world.user({ role: 'transportista' });
    const [desk, phone, other] = [await world.as(user), await world.as(user), await world.as('transportista')];
    expect((await desk.call(closeOtherSessions)).status).toBe(200);
    expect([await isIn(desk), await isIn(phone), await isIn(other)]).toEqual([true, false, true]);
  });
});
