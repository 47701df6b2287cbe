import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import { type Role, roleMay } from '../policy/policy.ts';
import type * as schemas from './schemas.ts';

export type User = z.infer<typeof schemas.user>;

export type Invitation = z.infer<typeof schemas.invitation>;

/** Roles whose people cannot be deleted while they hold open orders. */
export const MUST_HAND_OVER: readonly Role[] = ['transportista'];

export const listUsers = endpoint<typeof schemas.listUsers>()('GET', '/api/users', 'user:manage');

export const createUser = endpoint<typeof schemas.createUser>()('POST', '/api/users', {
  action: 'user:manage',
  stepUp: ({ role }: z.output<typeof schemas.createUserBody>) => roleMay(role, 'user:manage'),
});

/** Creates a person without a password, and an invitation link to choose one. */
export const inviteUser = endpoint<typeof schemas.inviteUser>()('POST', '/api/users/invitar', {
  action: 'user:manage',
  stepUp: ({ role }: z.output<typeof schemas.inviteUserBody>) => roleMay(role, 'user:manage'),
});

/** Creates a new link and revokes the old link. */
export const renewInvitation = endpoint<typeof schemas.renewInvitation>()('POST', '/api/users/:id/invitacion', 'user:manage');

/** Revokes the link; the person stays but cannot sign in. */
export const withdrawInvitation = endpoint<typeof schemas.withdrawInvitation>()('DELETE', '/api/users/:id/invitacion', 'user:manage');

export const updateUser = endpoint<typeof schemas.updateUser>()('PUT', '/api/users/:id', {
  action: 'user:manage',
  stepUp: ({ password, reset_second_factor }: z.output<typeof schemas.updateUserBody>) =>
    password !== undefined || reset_second_factor === true,
});

export const deleteUser = endpoint<typeof schemas.deleteUser>()('DELETE', '/api/users/:id', 'user:delete');
