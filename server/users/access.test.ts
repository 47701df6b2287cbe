import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EN_MANOS, ESTADOS } from '../../contract/pedidos/estados.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { getUser, login } from '../../contract/session/session.ts';
import { deleteUser, listUsers, updateUser } from '../../contract/users/users.ts';
import { PASSWORD, type UserRow } from '../../test/builders.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { DomainError } from '../kit/errors.ts';
import { deleteUser as deleteInDomain, updateUser as updateInDomain } from './users.ts';

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

const as = ({ full_name, email, is_active }: UserRow, change: { is_active?: boolean; password?: string } = {}) => ({
  full_name,
  email,
  is_active,
  ...change,
});
const edit = (user: UserRow, change: Parameters<typeof as>[1]) =>
  admin.call(updateUser, { params: { id: user.id }, body: as(user, change) });
const remove = (user: UserRow) => admin.call(deleteUser, { params: { id: user.id } });
const isIn = async (person: Person) => (await person.call(getUser)).status === 200;
const signIn = (email: string, password: string) => world.nobody().call(login, { body: { email, password } });

describe('access', () => {
  test('a deactivated person loses access at once in every browser, until activated again', async () => {
    const user = await world.user({ role: 'revendedor' });
    const [desk, phone, other] = [await world.as(user), await world.as(user), await world.as('transportista')];
    await edit(user, { is_active: false });
    expect([await isIn(desk), await isIn(phone), await isIn(other)]).toEqual([false, false, true]);
    expect((await signIn(user.email, PASSWORD)).status).toBe(401);
    await edit(user, { is_active: true });
    expect([await isIn(desk), await isIn(phone)]).toEqual([false, false]);
    expect((await signIn(user.email, PASSWORD)).status).toBe(200);
  });

  test('a new password ends all sessions at once, and only the new password works', async () => {
    const user = await world.user({ role: 'transportista' });
    const person = await world.as(user);
    await edit(user, { password: 'otra clave larga' });
    expect(await isIn(person)).toBe(false);
    expect((await signIn(user.email, PASSWORD)).status).toBe(401);
    expect((await signIn(user.email, 'otra clave larga')).status).toBe(200);
    const { password_changed_at } = await world.db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow();
    expect(password_changed_at > user.password_changed_at).toBe(true);
  });

  test('a deleted person loses access at once', async () => {
    const user = await world.user({ role: 'revendedor' });
    const person = await world.as(user);
    const { status, body } = await remove(user);
    expect([status, body]).toEqual([200, { success: true, message: 'Usuario eliminado' }]);
    expect(await isIn(person)).toBe(false);
    expect(await world.db.selectFrom('sessions').selectAll().where('user_id', '=', user.id).execute()).toEqual([]);
    expect((await signIn(user.email, PASSWORD)).status).toBe(401);
  });

  test('resetting a second factor ends all sessions at once, after which the password suffices', async () => {
    const user = await world.user({ role: 'transportista', totp_secret: 'sealed', totp_last_step: 1 });
    await world.db.insertInto('recovery_codes').values({ user_id: user.id, code_hash: 'x', used_at: null }).execute();
    const person = await world.as(user);
    const listed = async () => (await admin.call(listUsers, {})).body.data.find(({ id }) => id === user.id)?.second_factor;
    expect(await listed()).toBe(true);
    expect((await signIn(user.email, PASSWORD)).body.code).toBe('second_factor');
    const { status } = await admin.call(updateUser, { params: { id: user.id }, body: { ...as(user), reset_second_factor: true } });
    expect([status, await listed(), await isIn(person)]).toEqual([200, false, false]);
    expect(await world.db.selectFrom('recovery_codes').selectAll().execute()).toEqual([]);
    expect((await signIn(user.email, PASSWORD)).status).toBe(200);
    const log = await world.db
      .selectFrom('audit_logs')
      .selectAll()
      .where('entity_id', '=', user.id)
      .where('action', '=', 'update')
      .execute();
    expect(log.map(({ despues }) => despues)).toEqual([{ segundo_factor: 'quitado' }]);
  });

  test('superadmins cannot reset their own second factor as administrators', async () => {
    await world.db.updateTable('users').set({ totp_secret: 'sealed' }).where('id', '=', admin.user.id).execute();
    const { status, body } = await admin.call(updateUser, {
      params: { id: admin.user.id },
      body: { ...as(admin.user), reset_second_factor: true },
    });
    expect([status, body.message]).toEqual([409, 'El segundo factor propio se cambia en «Mi cuenta»']);
    expect((await world.db.selectFrom('users').select('totp_secret').where('id', '=', admin.user.id).executeTakeFirst())?.totp_secret).toBe(
      'sealed',
    );
  });

  test('superadmins cannot change their own password without the current password', async () => {
    const { status, body } = await edit(admin.user, { password: 'otra clave larga' });
    expect([status, body.message]).toEqual([409, 'La contraseña propia se cambia en «Mi cuenta»']);
    expect((await signIn(admin.user.email, PASSWORD)).status).toBe(200);
  });

  test('a person keeps access when name or e-mail changes', async () => {
    const user = await world.user({ role: 'revendedor' });
    const person = await world.as(user);
    await admin.call(updateUser, {
      params: { id: user.id },
      body: { full_name: 'Otro Nombre', email: 'otro@enruta.test', is_active: true },
    });
    expect((await person.call(getUser)).body.user).toMatchObject({ full_name: 'Otro Nombre', email: 'otro@enruta.test' });
  });
});

describe('people cannot remove themselves', () => {
  test.each([
    ['by deactivating', () => edit(admin.user, { is_active: false }), 'No puedes desactivar tu propia cuenta'],
    ['by deleting', () => remove(admin.user), 'No puedes eliminar tu propia cuenta'],
  ])('people cannot remove themselves %s, even with other superadmins', async (_, act, message) => {
    await world.user({ role: 'superadmin' });
    const { status, body } = await act();
    expect([status, body]).toEqual([409, { message, code: 'conflict' }]);
    expect(await isIn(admin)).toBe(true);
  });
});

describe('an active superadmin always remains', () => {
  const LAST = 'Es el último administrador activo: crea o activa otro antes';
  const actor = ({ id, full_name }: UserRow): Actor => ({ id, full_name, role: 'superadmin' });
  const outcome = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: unknown) => (error instanceof DomainError ? error.message : error),
    );
  const active = () =>
    world.db
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'superadmin')
      .where('is_active', '=', true)
      .where('deleted_at', 'is', null)
      .execute();

  test('a superadmin can deactivate, activate and delete a second superadmin', async () => {
    const other = await world.user({ role: 'superadmin' });
    expect((await edit(other, { is_active: false })).status).toBe(200);
    expect((await edit(other, { is_active: true })).status).toBe(200);
    expect((await remove(other)).status).toBe(200);
  });

  // Both requests have passed the session check; only the lock stops the second.
  test.each([
    [
      'deactivate',
      (by: UserRow, whom: UserRow) => updateInDomain(world.db, actor(by), { id: whom.id, ...as(whom, { is_active: false }) }, () => {}),
    ],
    ['delete', (by: UserRow, whom: UserRow) => deleteInDomain(world.db, actor(by), { id: whom.id })],
  ])('an active superadmin remains when two %s each other concurrently', async (_, act) => {
    const other = await world.user({ role: 'superadmin' });
    const outcomes = await Promise.all([outcome(act(admin.user, other)), outcome(act(other, admin.user))]);
    expect(outcomes.sort()).toEqual([LAST, 'done'].sort());
    expect(await active()).toHaveLength(1);
  });

  test('an active superadmin remains when five delete each other concurrently in a circle', async () => {
    const people = [admin.user, ...(await Promise.all(Array.from({ length: 4 }, () => world.user({ role: 'superadmin' }))))];
    const acts = people.map((by, i) => outcome(deleteInDomain(world.db, actor(by), { id: people[(i + 1) % 5]!.id })));
    expect((await Promise.all(acts)).filter((o) => o === LAST)).toHaveLength(1);
    expect(await active()).toHaveLength(1);
  });
});

describe('deleting', () => {
  test('deleting a person hides the person, but keeps the name on orders', async () => {
    const reseller = await world.user({ role: 'revendedor', full_name: 'Ana Ruiz' });
    const { id } = await world.pedido({ revendedor_id: reseller.id });
    await remove(reseller);
    const order = await world.db.selectFrom('pedidos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(order).toMatchObject({ revendedor_id: reseller.id, revendedor_nombre: 'Ana Ruiz' });
    expect((await admin.call(listUsers, { query: { role: 'revendedor' } })).body.data).toEqual([]);
    const log = await world.db.selectFrom('audit_logs').selectAll().executeTakeFirstOrThrow();
    expect(log).toMatchObject({ type: 'revendedor', action: 'delete', entity_id: reseller.id, description: 'Usuario eliminado: Ana Ruiz' });
  });

  test('deleting a person twice returns 404 the second time', async () => {
    const user = await world.user({ role: 'revendedor' });
    await remove(user);
    expect((await remove(user)).status).toBe(404);
  });

  test.each(EN_MANOS)('deleting a carrier with an order in %s is refused', async (estado) => {
    const carrier = await world.user({ role: 'transportista', full_name: 'Luis' });
    await world.pedido({ estado, transportista_id: carrier.id });
    const { status, body } = await remove(carrier);
    expect([status, body]).toEqual([
      409,
      { message: 'Luis tiene 1 pedido sin entregar: reasígnalo antes de eliminar el usuario', code: 'conflict' },
    ]);
    expect(await isIn(await world.as(carrier))).toBe(true);
  });

  test('deleting a carrier reports the number of open orders, and succeeds once the orders are reassigned', async () => {
    const carrier = await world.user({ role: 'transportista', full_name: 'Luis' });
    const other = await world.user({ role: 'transportista' });
    for (const estado of ESTADOS.filter((e) => EN_MANOS.includes(e) || e === 'completado'))
      await world.pedido({ estado, transportista_id: carrier.id });
    expect((await remove(carrier)).body.message).toBe('Luis tiene 3 pedidos sin entregar: reasígnalos antes de eliminar el usuario');
    await world.db.updateTable('pedidos').set({ transportista_id: other.id }).where('estado', 'in', EN_MANOS).execute();
    expect((await remove(carrier)).status).toBe(200);
  });

  test('deleting a carrier is not prevented by a deleted order', async () => {
    const carrier = await world.user({ role: 'transportista' });
    await world.pedido({ estado: 'asignado', transportista_id: carrier.id, deleted_at: new Date().toISOString() });
    expect((await remove(carrier)).status).toBe(200);
  });
});
