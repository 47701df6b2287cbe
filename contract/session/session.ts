import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type SessionUser = z.infer<typeof schemas.sessionUser>;

export const getCsrfToken = endpoint<typeof schemas.getCsrfToken>()('GET', '/api/csrf-token', 'public');

export const login = endpoint<typeof schemas.login>()('POST', '/api/login', 'public');

export const logout = endpoint<typeof schemas.logout>()('POST', '/api/logout', 'public');

export const getUser = endpoint<typeof schemas.getUser>()('GET', '/api/user', { action: 'session', whilePending: true });

/** Invitation of a link. The screen shows its name and email before the password is chosen. */
export const getInvitation = endpoint<typeof schemas.getInvitation>()('GET', '/api/invitaciones/:token', 'public');

export const acceptInvitation = endpoint<typeof schemas.acceptInvitation>()('POST', '/api/invitaciones/:token', 'public');

/** True while the first superadmin does not exist yet. */
export const getFirstAccess = endpoint<typeof schemas.getFirstAccess>()('GET', '/api/primer-acceso', 'public');

/** Takes the one-time code that the program prints at startup on a database without superadmins. */
export const firstAccess = endpoint<typeof schemas.firstAccess>()('POST', '/api/primer-acceso', 'public');
