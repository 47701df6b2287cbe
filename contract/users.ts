import { z } from 'zod';
import { done, doneWith, endpoint, id, idParams, instant, listOf, optionalText, text } from './kit.ts';
import { ROLES } from './policy.ts';

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

export const MIN_PASSWORD = 6;
const SHORT = 'La contraseña debe tener al menos 6 caracteres';
const SHORT_NAME = 'El nombre debe tener al menos 2 caracteres';
// Characters as the database counts them: an emoji is one, though JavaScript counts two.
export const fullName = text(120, SHORT_NAME, 2).refine((name) => [...name].length >= 2, SHORT_NAME);
export const email = text(254, 'Email inválido').toLowerCase().pipe(z.email('Email inválido'));
export const password = z
  .string({ error: SHORT })
  .min(MIN_PASSWORD, SHORT)
  .max(200, 'La contraseña es demasiado larga')
  .refine((p) => p.isWellFormed() && !p.includes('\0'), 'Contiene caracteres no permitidos');
/** Optional short name to sign in with («Email o usuario»); no @, so it cannot be mistaken for an address. */
const username = optionalText(40)
  .transform((u) => u?.toLowerCase() ?? null)
  .refine((u) => u === null || /^[a-z0-9._-]{3,}$/.test(u), 'Usuario inválido: mínimo 3 letras, números, punto o guion');

export const createUserBody = z.strictObject({
  full_name: fullName,
  email,
  username,
  password,
  role: z.enum(ROLES),
  is_active: z.boolean().default(true),
});
/** An absent `username` is left as it is; a password under six characters is refused rather than ignored. */
export const updateUserBody = z.strictObject({
  full_name: fullName,
  email,
  username: username.optional(),
  is_active: z.boolean(),
  password: password.optional(),
  /** For somebody who lost their phone. */
  reset_second_factor: z.literal(true, 'Valor no válido').optional(),
});

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/users',
  allow: ['superadmin'],
  summary: 'People of one role, or all',
  query: z.strictObject({ role: z.enum(ROLES).optional() }),
  response: { 200: listOf(user) },
});
export const createUser = endpoint({
  method: 'POST',
  path: '/api/users',
  allow: ['superadmin'],
  summary: 'New person',
  body: createUserBody,
  response: { 201: doneWith(user) },
});
export const updateUser = endpoint({
  method: 'PUT',
  path: '/api/users/:id',
  allow: ['superadmin'],
  summary: 'Change a person; deactivating, a new password or a removed second factor ends their sessions',
  params: idParams,
  body: updateUserBody,
  response: { 200: doneWith(user) },
});
export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/api/users/:id',
  allow: ['superadmin'],
  summary: 'Remove a person; their name stays on orders',
  params: idParams,
  response: { 200: done },
});
