import { schemaResolver } from '@mantine/form';
import { describe, expect, test } from 'vitest';
import * as schemas from '../../contract/users/schemas.ts';
import type { User } from '../../contract/users/users.ts';
import { createBody, updateBody, userProblems, userValues } from './user-form.ts';

const filled = {
  full_name: 'Rita Revendedora',
  email: 'rita@enruta.test',
  username: '',
  password: 'clave larga',
  is_active: true,
  contra_reembolso: false,
  zonas: '',
};
const id = '0b8a4b1e-3c1f-4a53-8a1a-9f4d5c6e7a10';
const rita: User = {
  ...filled,
  id,
  user_id: id,
  username: 'rita',
  role: 'revendedor',
  second_factor: false,
  created_at: '2026-01-02T10:00:00.000Z',
  last_access_at: null,
  pedidos_abiertos: 0,
  invited: false,
  contra_reembolso: false,
  zonas: null,
  invite_until: null,
  version: 4,
};

describe('a new person', () => {
  test('a new person starts active, with all other fields empty', () => {
    expect(userValues()).toEqual({
      full_name: '',
      email: '',
      username: '',
      password: '',
      is_active: true,
      contra_reembolso: false,
      zonas: '',
    });
  });
  test('a new person with invalid values is refused with a sentence under each field', () => {
    expect(userProblems({ ...userValues(), full_name: 'R', email: 'rita', password: '12345' })).toEqual({
      full_name: 'El nombre debe tener al menos 2 caracteres',
      email: 'Email inválido',
      password: 'La contraseña debe tener al menos 6 caracteres',
    });
  });
  test('a new person needs no user name', () => {
    expect(userProblems(filled)).toEqual({});
    expect(createBody(filled, 'transportista')).toEqual({ ...filled, role: 'transportista' });
  });
});

describe('a change', () => {
  test('a change without a password keeps the current password', () => {
    const values = userValues(rita);
    expect(values.password).toBe('');
    expect(userProblems(values, rita)).toEqual({});
    const { full_name, email, version } = rita;
    expect(updateBody(values, version)).toEqual({
      full_name,
      email,
      username: 'rita',
      is_active: true,
      contra_reembolso: false,
      zonas: '',
      version,
    });
  });
  test('a change with a short password shows an error instead of omitting the password', () => {
    expect(userProblems({ ...userValues(rita), password: '12345' }, rita)).toEqual({
      password: 'La contraseña debe tener al menos 6 caracteres',
    });
  });
  test('a change with a valid password sends the password', () => {
    expect(updateBody({ ...userValues(rita), password: '123456' }, 1)).toMatchObject({ password: '123456' });
  });
});

test.each([
  {},
  { full_name: ' R ' },
  { full_name: 'Jo' },
  { email: ' RITA@Enruta.test ' },
  { email: 'rita@enruta' },
  { email: 'rita.enruta.test' },
  { username: 'ab' },
  { username: 'Rita.2-x_y' },
  { username: 'rita@enruta.test' },
  { username: 'ri ta' },
  { zonas: '28*, 45001' },
  { zonas: 'Madrid' },
  { password: '12345' },
  { password: '      ' },
])('the form and the server agree on %o', (fields) => {
  const values = { ...filled, ...fields };
  const refused = schemaResolver(schemas.createUser.body, { sync: true })(createBody(values, 'revendedor'));
  expect(userProblems(values)).toEqual(refused);
});
