import type { BodyIn } from '../../contract/kit.ts';
import type { Role } from '../../contract/policy.ts';
import { type createUser, MIN_PASSWORD, type User, type updateUser } from '../../contract/users.ts';

/** What the fields of the dialog hold. */
export type UserValues = { full_name: string; email: string; username: string; password: string; is_active: boolean };

export const userValues = (user?: User): UserValues => ({
  full_name: user?.full_name ?? '',
  email: user?.email ?? '',
  username: user?.username ?? '',
  password: '',
  is_active: user?.is_active ?? true,
});

export const createBody = (values: UserValues, role: Role): BodyIn<typeof createUser> => ({ ...values, role });

/** An empty password is left out: the current one stays. */
export const updateBody = ({ password, ...values }: UserValues): BodyIn<typeof updateUser> => ({
  ...values,
  ...(password && { password }),
});

// The server has the last word on an address; this only spares a round trip for what is plainly none.
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/;
const USERNAME = /^[a-z0-9._-]{3,}$/i;

/** Section 5 of the specification, by field; a new person needs a password, `user` only keeps or changes it. */
export function userProblems({ full_name, email, username, password }: UserValues, user?: User): Record<string, string> {
  const short = password.length < MIN_PASSWORD && !(user && password === '');
  return {
    ...(full_name.trim().length < 2 && { full_name: 'El nombre debe tener al menos 2 caracteres' }),
    ...(!EMAIL.test(email.trim()) && { email: 'Email inválido' }),
    ...(username.trim() && !USERNAME.test(username.trim()) && { username: 'Usuario inválido: mínimo 3 letras, números, punto o guion' }),
    ...(short && { password: 'La contraseña debe tener al menos 6 caracteres' }),
  };
}
