import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { login } from '../../contract/session/session.ts';
import { createUser, deleteUser, listUsers, updateUser } from '../../contract/users/users.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

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

const ana = { full_name: 'Ana Ruiz', email: 'ana@enruta.test', password: 'una clave larga', role: 'revendedor', is_active: true } as const;
const changed = { full_name: 'Ana Gil', email: 'gil@enruta.test', is_active: true };
const logs = () => world.db.selectFrom('audit_logs').selectAll().where('entity_type', '=', 'profile').orderBy('created_at').execute();
const signIn = (email: string, password: string) => world.nobody().call(login, { body: { email, password } });
const names = async (role?: 'revendedor' | 'superadmin') =>
  (await admin.call(listUsers, { query: { role } })).body.data.map((u) => u.full_name);

describe('the list', () => {
  test('the list of people has one role or all, by name, without deleted people', async () => {
    await world.user({ role: 'revendedor', full_name: 'Zoe' });
    await world.user({ role: 'revendedor', full_name: 'Álvaro', is_active: false });
    await world.user({ role: 'revendedor', full_name: 'bea' });
    await world.user({ role: 'revendedor', full_name: 'Ida', deleted_at: new Date().toISOString() });
    await world.user({ role: 'transportista', full_name: 'Carlos' });
    expect(await names('revendedor')).toEqual(['Álvaro', 'bea', 'Zoe']);
    expect(await names()).toEqual(['Álvaro', 'bea', 'Carlos', admin.user.full_name, 'Zoe']);
  });

  test('the list of people describes each person without any part of a password', async () => {
    const { body, text } = await admin.call(listUsers);
    const { id, full_name, email, role, created_at } = admin.user;
    expect(body).toEqual({
      success: true,
      data: [
        {
          id,
          user_id: id,
          full_name,
          email,
          username: null,
          role,
          is_active: true,
          second_factor: false,
          contra_reembolso: false,
          zonas: null,
          created_at,
          last_access_at: expect.any(String),
          pedidos_abiertos: 0,
          invited: false,
          invite_until: null,
          version: 1,
        },
      ],
    });
    expect(text).not.toMatch(/password|argon/i);
  });

  test('a list of people of an unknown role is refused', async () => {
    expect((await admin.request('GET', '/api/users?role=jefe')).status).toBe(422);
  });
});

describe('a new person', () => {
  test('the creation of a person is logged without the password, and the person can sign in', async () => {
    const { status, body } = await admin.call(createUser, { body: { ...ana, username: ' Ana.R ' } });
    expect(status).toBe(201);
    const { password, ...shown } = ana;
    expect(body).toMatchObject({ success: true, message: 'Usuario creado', data: { ...shown, username: 'ana.r', user_id: body.data.id } });
    expect(await logs()).toMatchObject([
      {
        type: 'revendedor',
        action: 'create',
        entity_id: body.data.id,
        description: 'Usuario creado: Ana Ruiz',
        actor_user_id: admin.user.id,
      },
    ]);
    expect(JSON.stringify(await logs())).not.toMatch(/una clave larga|argon/);
    expect((await signIn('ana@enruta.test', password)).status).toBe(200);
    expect((await signIn('ANA.R', password)).status).toBe(200);
  });

  test('a new person is active by default, and cannot sign in when inactive', async () => {
    const { is_active, ...fields } = ana;
    expect((await admin.call(createUser, { body: fields })).body.data.is_active).toBe(true);
    await admin.call(createUser, { body: { ...fields, email: 'otra@enruta.test', is_active: false } });
    expect((await signIn('otra@enruta.test', ana.password)).status).toBe(401);
  });

  test('a person can be named with an emoji and a letter, but not with a single emoji', async () => {
    expect((await admin.call(createUser, { body: { ...ana, full_name: '🚚a' } })).status).toBe(201);
    expect((await admin.call(createUser, { body: { ...ana, email: 'b@enruta.test', full_name: '🚚' } })).status).toBe(422);
  });
});

describe('a taken e-mail or user name', () => {
  const EMAIL = { message: 'El email ya está en uso', errors: { email: ['El email ya está en uso'] }, code: 'duplicate' };
  const USERNAME = { message: 'El usuario ya está en uso', errors: { username: ['El usuario ya está en uso'] }, code: 'duplicate' };

  test('a taken e-mail or user name is refused to a new person, in any spelling', async () => {
    await world.user({ role: 'transportista', email: 'ana@enruta.test', username: 'anita' });
    const { status, body } = await admin.call(createUser, { body: { ...ana, email: '  ANA@Enruta.test ' } });
    expect([status, body]).toEqual([422, EMAIL]);
    const other = await admin.call(createUser, { body: { ...ana, email: 'b@enruta.test', username: 'AniTa' } });
    expect([other.status, other.body]).toEqual([422, USERNAME]);
    expect(await logs()).toEqual([]);
  });

  test('a taken e-mail or user name is refused when editing another person, but not its owner', async () => {
    const { id } = await world.user({ role: 'revendedor', email: 'ana@enruta.test', username: 'anita' });
    const other = await world.user({ role: 'revendedor' });
    const body = { ...changed, email: 'ana@enruta.test', username: 'anita' };
    expect((await admin.call(updateUser, { params: { id }, body })).status).toBe(200);
    const taken = await admin.call(updateUser, { params: { id: other.id }, body });
    expect([taken.status, taken.body]).toEqual([422, EMAIL]);
    const name = await admin.call(updateUser, { params: { id: other.id }, body: { ...body, email: other.email } });
    expect([name.status, name.body]).toEqual([422, USERNAME]);
  });

  test('an e-mail and a user name are free again after their owner is deleted', async () => {
    await world.user({ role: 'revendedor', email: 'ana@enruta.test', username: 'anita', deleted_at: new Date().toISOString() });
    expect((await admin.call(createUser, { body: { ...ana, username: 'anita' } })).status).toBe(201);
  });

  test('only one of several concurrent requests can use an e-mail address', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => admin.call(createUser, { body: ana })));
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 422, 422, 422, 422]);
    expect(await names('revendedor')).toEqual(['Ana Ruiz']);
  });
});

describe('changing a person', () => {
  test('changing a person returns the changed person and logs the changes', async () => {
    const { id } = await world.user({ role: 'transportista', full_name: 'Ana Ruiz', email: 'ana@enruta.test', username: 'anita' });
    const { status, body } = await admin.call(updateUser, { params: { id }, body: changed });
    expect(status).toBe(200);
    expect(body).toMatchObject({ message: 'Usuario actualizado', data: { id, ...changed, username: 'anita', role: 'transportista' } });
    expect(await logs()).toMatchObject([
      {
        type: 'transportista',
        action: 'update',
        description: 'Usuario actualizado: Ana Gil',
        antes: { full_name: 'Ana Ruiz', email: 'ana@enruta.test' },
        despues: { full_name: 'Ana Gil', email: 'gil@enruta.test' },
      },
    ]);
  });

  test('changing a person removes the user name when sent empty', async () => {
    const { id } = await world.user({ role: 'revendedor', username: 'anita' });
    expect((await admin.call(updateUser, { params: { id }, body: { ...changed, username: '' } })).body.data.username).toBeNull();
  });

  test('changing a person never changes the role', async () => {
    const { id } = await world.user({ role: 'revendedor', full_name: 'Ana Ruiz' });
    const reply = await admin.request('PUT', `/api/users/${id}`, { body: { ...changed, role: 'superadmin' } });
    expect([reply.status, reply.body]).toMatchObject([422, { errors: { role: ['Campo desconocido: role'] } }]);
    expect(await names('revendedor')).toEqual(['Ana Ruiz']);
  });

  test('a new name is copied only to the person’s own orders, where the name can be searched', async () => {
    const reseller = await world.user({ role: 'revendedor' });
    const carrier = await world.user({ role: 'transportista' });
    const { id, version } = await world.pedido({ estado: 'en_ruta', revendedor_id: reseller.id, transportista_id: carrier.id });
    const other = await world.pedido({ estado: 'asignado' });
    await admin.call(updateUser, { params: { id: reseller.id }, body: { ...changed, full_name: 'Reseña Nueva' } });
    await admin.call(updateUser, { params: { id: carrier.id }, body: { ...changed, email: 'c@enruta.test', full_name: 'Porte Nuevo' } });

    const rows = await world.db.selectFrom('pedidos').selectAll().execute();
    expect(rows.find((row) => row.id === id)).toMatchObject({
      revendedor_nombre: 'Reseña Nueva',
      transportista_nombre: 'Porte Nuevo',
      version,
    });
    expect((await admin.call(listPedidos, { query: { search: 'resena nueva' } })).body.data.map((row) => row.id)).toEqual([id]);
    const { revendedor_nombre, transportista_nombre } = other;
    expect(rows.find((row) => row.id === other.id)).toMatchObject({ revendedor_nombre, transportista_nombre });
  });

  test('changing a person returns the same 404 for an unknown, deleted or invalid id', async () => {
    const gone = await world.user({ role: 'revendedor', deleted_at: new Date().toISOString() });
    const none = await admin.request('PUT', '/api/users/nadie', { body: changed });
    for (const id of [gone.id, crypto.randomUUID()]) {
      const reply = await admin.call(updateUser, { params: { id }, body: changed });
      expect([reply.status, reply.text]).toEqual([404, none.text]);
      expect((await admin.call(deleteUser, { params: { id } })).text).toBe(none.text);
    }
  });
});

test.each(['revendedor', 'transportista'] as const)('a %s can neither see nor change people, themselves included', async (role) => {
  const other = await world.as(role);
  for (const id of [admin.user.id, other.user.id]) {
    expect((await other.call(updateUser, { params: { id }, body: changed })).status).toBe(403);
    expect((await other.call(deleteUser, { params: { id } })).status).toBe(403);
  }
  expect((await other.call(listUsers)).status).toBe(403);
  expect((await other.call(createUser, { body: { ...ana, role: 'superadmin' } })).status).toBe(403);
  expect(await names()).toEqual([other.user.full_name, admin.user.full_name].sort());
});

test('an address at a domain with «ñ» is stored in ASCII, shown as written, unique, and signs in either way', async () => {
  const { body } = await admin.call(createUser, { body: { ...ana, email: 'Ana@Cañadas.es' } });
  expect(body.data.email).toBe('ana@cañadas.es');
  const { email } = await world.db.selectFrom('users').select('email').where('id', '=', body.data.id).executeTakeFirstOrThrow();
  expect(email).toBe('ana@xn--caadas-xwa.es');
  expect((await admin.call(createUser, { body: { ...ana, email: 'ana@xn--caadas-xwa.es' } })).body.errors?.email).toEqual([
    'El email ya está en uso',
  ]);
  for (const typed of ['ana@cañadas.es', 'ana@xn--caadas-xwa.es']) expect((await signIn(typed, ana.password)).status).toBe(200);
  const bad = await admin.call(createUser, { body: { ...ana, email: 'ana@cañadas..es' } });
  expect([bad.status, bad.body.errors?.email]).toEqual([422, ['Email inválido']]);
});
