import type { BodyIn } from '../../contract/kit.ts';
import type { Role } from '../../contract/policy.ts';
import { USER_FIELDS } from '../../contract/users.fields.ts';
import type { createUser, User, updateUser } from '../../contract/users.ts';
import { problemsIn } from '../ui/form/rules.ts';

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

/** Section 5 of the specification, by field; a new person needs a password, `user` only keeps or changes it. */
export function userProblems(values: UserValues, user?: User): Record<string, string> {
  const { password, ...kept } = problemsIn(USER_FIELDS, values);
  return password === undefined || (user && values.password === '') ? kept : { ...kept, password };
}
