import type { BodyIn } from '../../contract/kit.ts';
import type { Role } from '../../contract/policy.ts';
import { USER_FIELDS } from '../../contract/users.fields.ts';
import type { createUser, User, updateUser } from '../../contract/users.ts';
import { problemsIn } from '../ui/form/rules.ts';

/** Form values. */
export type UserValues = { full_name: string; email: string; username: string; password: string; is_active: boolean };

export const userValues = (user?: User): UserValues => ({
  full_name: user?.full_name ?? '',
  email: user?.email ?? '',
  username: user?.username ?? '',
  password: '',
  is_active: user?.is_active ?? true,
});

export const createBody = (values: UserValues, role: Role): BodyIn<typeof createUser> => ({ ...values, role });

/** Omits an empty password, which keeps the current one. */
export const updateBody = ({ password, ...values }: UserValues): BodyIn<typeof updateUser> => ({
  ...values,
  ...(password && { password }),
});

/** Validates the form (specification, section 5); the password is optional when editing `user`. */
export function userProblems(values: UserValues, user?: User): Record<string, string> {
  const { password, ...kept } = problemsIn(USER_FIELDS, values);
  return password === undefined || (user && values.password === '') ? kept : { ...kept, password };
}
