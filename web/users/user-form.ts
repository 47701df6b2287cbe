import type { BodyIn } from '../../contract/kit/endpoint.ts';
import type { Role } from '../../contract/policy/policy.ts';
import { USER_FIELDS } from '../../contract/users/fields.ts';
import type { createUser, User, updateUser } from '../../contract/users/users.ts';
import { problemsIn } from '../ui/form/rules.ts';

export const userValues = (user?: User) => ({
  full_name: user?.full_name ?? '',
  email: user?.email ?? '',
  username: user?.username ?? '',
  password: '',
  is_active: user?.is_active ?? true,
  contra_reembolso: user?.contra_reembolso ?? false,
  zonas: user?.zonas ?? '',
});

type UserValues = ReturnType<typeof userValues>;

export const createBody = (values: UserValues, role: Role): BodyIn<typeof createUser> => ({ ...values, role });

/** Omits an empty password, which keeps the current one. `version`: version from which the form was filled. */
export const updateBody = ({ password, ...values }: UserValues, version: number): BodyIn<typeof updateUser> => ({
  ...values,
  ...(password && { password }),
  version,
});

/** Validates the form (specification, section 5); the password is optional when editing `user`. */
export function userProblems(values: UserValues, user?: User): Record<string, string> {
  const { password, ...kept } = problemsIn(USER_FIELDS, values);
  return password === undefined || (user && values.password === '') ? kept : { ...kept, password };
}
