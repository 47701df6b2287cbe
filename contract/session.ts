import type { z } from 'zod';
import { endpoint } from './kit.ts';
import type * as schemas from './session.schemas.ts';

/** Steps to complete in «Mi cuenta» before anything else is allowed. */
export const PENDING = ['password', 'second_factor'] as const;

export type Pending = (typeof PENDING)[number];

/** Header of background requests, which must not keep a session alive. */
export const UNATTENDED = 'x-unattended';

/** Database of a browser with a carrier's last answers; deleted at sign-out. */
export const ANSWERS_DB = 'enruta-respuestas';

/** Header with the id of the person who made an act; a session of another person is refused with 401. */
export const PERSON = 'x-persona';

/**
 * Header of a carrier's calls while something waits on the telephone, and just afterwards: the number of orders, and since when
 * («3;2026-11-25T12:40:00.000Z»), or «0».
 */
export const UNSENT = 'x-pendientes';

export type SessionUser = z.infer<typeof schemas.sessionUser>;

export const REQUIRED = 'Todos los campos son obligatorios';

export const getCsrfToken = endpoint<typeof schemas.getCsrfToken>()('GET', '/api/csrf-token', { action: 'public' });

export const login = endpoint<typeof schemas.login>()('POST', '/api/login', { action: 'public' });

export const logout = endpoint<typeof schemas.logout>()('POST', '/api/logout', { action: 'public' });

export const getUser = endpoint<typeof schemas.getUser>()('GET', '/api/user', { action: 'session', whilePending: true });

/** Days that the link of an invitation lasts. */
export const INVITE_DAYS = 7;

/** Screen of an invitation link: the choice of a password. */
export const getInvitation = endpoint<typeof schemas.getInvitation>()('GET', '/api/invitaciones/:token', { action: 'public' });

export const acceptInvitation = endpoint<typeof schemas.acceptInvitation>()('POST', '/api/invitaciones/:token', { action: 'public' });

/** Says whether the first superadmin is still to be made. */
export const getFirstAccess = endpoint<typeof schemas.getFirstAccess>()('GET', '/api/primer-acceso', { action: 'public' });

/** Takes the one-time code that the program prints at startup on a database without superadmins. */
export const firstAccess = endpoint<typeof schemas.firstAccess>()('POST', '/api/primer-acceso', { action: 'public' });
