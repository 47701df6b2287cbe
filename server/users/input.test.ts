import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listUsers } from '../../contract/users/users.ts';
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
const names = async () => (await admin.call(listUsers, { query: { role: 'revendedor' } })).body.data.map((u) => u.full_name);

describe('invalid input, with its error under the field', () => {
  const NAME = 'El nombre debe tener al menos 2 caracteres';
  const GUESSED = 'Esa contraseña se adivina con el nombre de la persona o de la tienda: elige otra';
  const SHORT = 'La contraseña debe tener al menos 6 caracteres';
  test.each<[string, object, string, string]>([
    ['no name', { full_name: null }, 'full_name', NAME],
    ['a name of one letter', { full_name: ' A ' }, 'full_name', NAME],
    ['a name that is a list', { full_name: ['Ana'] }, 'full_name', NAME],
    ['a name with NUL', { full_name: 'Ana\u0000' }, 'full_name', 'Contiene caracteres no permitidos'],
    ['a name with half a character', { full_name: 'Ana \ud83d' }, 'full_name', 'Contiene caracteres no permitidos'],
    ['a name too long', { full_name: 'A'.repeat(121) }, 'full_name', 'No puede superar los 120 caracteres'],
    ['no e-mail', { email: null }, 'email', 'Email inválido'],
    ['a malformed e-mail', { email: 'ana@' }, 'email', 'Email inválido'],
    ['an e-mail too long', { email: `${'a'.repeat(250)}@b.es` }, 'email', 'No puede superar los 254 caracteres'],
    ['a short password', { password: '12345' }, 'password', SHORT],
    ['an empty password', { password: '' }, 'password', SHORT],
    ['a password that is a number', { password: 12345678 }, 'password', SHORT],
    ['a huge password', { password: 'x'.repeat(201) }, 'password', 'La contraseña es demasiado larga'],
    ['a password with NUL', { password: 'clave\u0000clave' }, 'password', 'Contiene caracteres no permitidos'],
    ['a common password', { password: 'QWERTY123' }, 'password', 'Esa contraseña es demasiado común: elige otra'],
    ['a password with a word of the trade', { password: 'Tienda1' }, 'password', 'Esa contraseña es demasiado común: elige otra'],
    ['a password of the leaked lists', { password: 'dragonfly' }, 'password', 'Esa contraseña es demasiado común: elige otra'],
    ['a password made of the surname and a year', { full_name: 'Ana Pérez', password: 'Perez.2026' }, 'password', GUESSED],
    ['a password made of the e-mail address', { email: 'ana.perez@b.es', password: 'anaperez1' }, 'password', GUESSED],
    ['a user name with @', { username: 'ana@b.es' }, 'username', 'Usuario inválido: mínimo 3 letras, números, punto o guion'],
    ['an unknown field', { user_id: 'x' }, 'user_id', 'Campo desconocido: user_id'],
    ['a creation date', { created_at: '2020-01-01' }, 'created_at', 'Campo desconocido: created_at'],
  ])('a person with %s is refused', async (_, change, field, message) => {
    const { id } = await world.user({ role: 'revendedor', full_name: 'Intacta' });
    const { role, ...edit } = ana;
    const replies = [
      await admin.request('POST', '/api/users', { body: { ...ana, ...change } }),
      await admin.request('PUT', `/api/users/${id}`, { body: { ...edit, ...change } }),
    ];
    for (const reply of replies) {
      expect([reply.status, reply.body]).toMatchObject([422, { message }]);
      const { errors } = reply.body as { errors: Record<string, string[]> };
      expect([Object.keys(errors), errors[field]?.[0]]).toEqual([[field], message]);
    }
    expect(await names()).toEqual(['Intacta']);
  });

  test.each([undefined, null, 'jefe', 'sistema', 7])('a person with the role %j is refused', async (role) => {
    const { status, body } = await admin.request('POST', '/api/users', { body: { ...ana, role } });
    expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([422, ['role']]);
  });
});
