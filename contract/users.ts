import { z } from 'zod';
import { done, doneWith, endpoint, id, idParams, instant, listOf, textOf } from './kit.ts';
import { ROLES } from './policy.ts';
import { inputsOf } from './schema.ts';
import { USER_FIELDS } from './users.fields.ts';

export const user = z.object({
  id,
  user_id: id,
  full_name: z.string(),
  email: z.string(),
  username: z.string().nullable(),
  role: z.enum(ROLES),
  is_active: z.boolean(),
  second_factor: z.boolean(),
  created_at: instant,
});
export type User = z.infer<typeof user>;

const fields = inputsOf(USER_FIELDS, ['full_name', 'username', 'password']);
export const fullName = fields.full_name;
export const email = textOf({ max: USER_FIELDS.email.max, required: USER_FIELDS.email.required })
  .toLowerCase()
  .pipe(z.email(USER_FIELDS.email.invalid));
export const password = fields.password;
const lowercase = (name: typeof fields.username) => name.transform((value) => value?.toLowerCase() ?? null);
const username = lowercase(fields.username);

export const createUserBody = z.strictObject({
  full_name: fullName,
  email,
  username,
  password,
  role: z.enum(ROLES),
  is_active: z.boolean().default(true),
});
/** An absent `username` stays unchanged; a password under six characters is rejected, not ignored. */
export const updateUserBody = z.strictObject({
  full_name: fullName,
  email,
  username: username.optional(),
  is_active: z.boolean(),
  password: password.optional(),
  /** Removes the second factor of someone who lost their phone. */
  reset_second_factor: z.literal(true, 'Valor no válido').optional(),
});

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/users',
  action: 'user:manage',
  summary: 'People of one role, or all',
  query: z.strictObject({ role: z.enum(ROLES).optional() }),
  response: { 200: listOf(user) },
});
export const createUser = endpoint({
  method: 'POST',
  path: '/api/users',
  action: 'user:manage',
  summary: 'New person',
  body: createUserBody,
  response: { 201: doneWith(user) },
});
export const updateUser = endpoint({
  method: 'PUT',
  path: '/api/users/:id',
  action: 'user:manage',
  summary: 'Change a person; deactivating, a new password or a removed second factor ends their sessions',
  params: idParams,
  body: updateUserBody,
  response: { 200: doneWith(user) },
});
export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/api/users/:id',
  action: 'user:delete',
  summary: 'Remove a person; their name stays on orders',
  params: idParams,
  response: { 200: done },
});
