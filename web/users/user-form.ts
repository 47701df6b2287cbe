import { schemaResolver } from '@mantine/form';
import type { BodyIn } from '../../contract/kit.ts';
import type { Role } from '../../contract/policy.ts';
import { createUser, type User, updateUser } from '../../contract/users.ts';

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

/** The contract's own sentences, by field: what is refused here never reaches the server. */
export function userProblems(values: UserValues, role: Role, user?: User) {
  return user
    ? schemaResolver(updateUser.body, { sync: true })(updateBody(values))
    : schemaResolver(createUser.body, { sync: true })(createBody(values, role));
}
