import { expect, test } from 'vitest';
import { type Refusal, type UserAction, userRefusal } from './user-errors.ts';

const refusal = (status: number, message = 'Algo del servidor', fields: string[] = []): Refusal => ({
  status,
  message,
  errors: Object.fromEntries(fields.map((field) => [field, [message]])),
});
const TAKEN = 'El email ya está en uso';
const NOT_ALLOWED = 'No tienes permisos para realizar esta acción';

test.each<[UserAction, Refusal, string | undefined]>([
  ['create', refusal(403), 'Solo los superadministradores pueden crear usuarios'],
  ['create', refusal(422), TAKEN],
  ['create', refusal(422, 'Repetido', ['email']), TAKEN],
  ['create', refusal(500, 'duplicate e-mail'), TAKEN],
  ['create', refusal(401), NOT_ALLOWED],
  ['create', refusal(500, 'Unauthorized.'), NOT_ALLOWED],
  ['create', refusal(500), undefined],
  ['create', refusal(0), undefined],
  ['update', refusal(403), 'Solo los superadministradores pueden editar usuarios'],
  ['update', refusal(500, 'only an admin may'), 'Solo los superadministradores pueden editar usuarios'],
  ['update', refusal(422, 'Repetido', ['email']), TAKEN],
  ['update', refusal(404), undefined],
  ['delete', refusal(403), 'Solo los superadministradores pueden eliminar usuarios'],
  ['delete', refusal(422), undefined],
])('a refusal to %s a user with %o shows: %s', (action, error, sentence) => {
  expect(userRefusal(action, error)).toBe(sentence);
});

test('a specific message of the server is shown unchanged', () => {
  const last = 'Debe quedar al menos un superadmin activo';
  for (const action of ['update', 'delete'] as const) expect(userRefusal(action, refusal(409, last))).toBe(last);
  const username = 'El usuario ya está en uso';
  expect(userRefusal('create', refusal(422, username, ['username']))).toBe(username);
  expect(userRefusal('create', refusal(422, 'Email inválido', ['email']))).toBe('Email inválido');
  const weak = 'Esa contraseña es demasiado común';
  expect(userRefusal('update', refusal(422, weak, ['password']))).toBe(weak);
});
