import { z } from 'zod';
import { done, endpoint, id, text } from './kit.ts';
import { ROLES } from './policy.ts';
import { email, fullName, password } from './users.ts';

/** What a person must do in «Mi cuenta» before anything else is open to them. */
export const PENDING = ['password', 'second_factor'] as const;
export type Pending = (typeof PENDING)[number];

/** The header of what a browser asks while nobody touches it: it keeps no session alive. */
export const UNATTENDED = 'x-unattended';

export const sessionUser = z.object({
  id,
  full_name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  pending: z.enum(PENDING).nullable(),
});
export type SessionUser = z.infer<typeof sessionUser>;

/** Where the business's days begin and end, and how it looks to whoever has not chosen for themselves. */
const negocio = z.object({
  timezone: z.string(),
  theme: z.enum(['light', 'dark', 'auto']),
  primaryColor: z.string(),
  compactMode: z.boolean(),
});

const REQUIRED = 'Todos los campos son obligatorios';
/** A password to be compared, not chosen: any that could be one. */
export const loginPassword = z.string({ error: REQUIRED }).min(1, REQUIRED).max(200, 'La contraseña es demasiado larga');
export const loginBody = z.strictObject({
  email: text(254, REQUIRED),
  password: loginPassword,
  code: z.string('Código no válido').max(40, 'Código no válido').optional(),
});

export const getCsrfToken = endpoint({
  method: 'GET',
  path: '/api/csrf-token',
  action: 'public',
  summary: 'Sets the XSRF-TOKEN cookie that every write echoes in X-XSRF-TOKEN',
  response: { 200: z.object({ success: z.literal(true) }) },
});
export const login = endpoint({
  method: 'POST',
  path: '/api/login',
  action: 'public',
  summary: 'Sign in with e-mail or user name; 401 with code second_factor asks for the code too',
  body: loginBody,
  response: { 200: done },
});
export const logout = endpoint({
  method: 'POST',
  path: '/api/logout',
  action: 'public',
  summary: 'End this session',
  response: { 200: done },
});
export const getUser = endpoint({
  method: 'GET',
  path: '/api/user',
  action: 'session',
  whilePending: true,
  summary: 'The signed-in person, and what every screen needs of the business',
  response: { 200: z.object({ user: sessionUser, negocio }) },
});

/** The one-time address that an empty database prints at its start. */
export const firstAccess = endpoint({
  method: 'POST',
  path: '/api/primer-acceso',
  action: 'public',
  summary: 'Make the first superadmin with the one-time value printed at start',
  body: z.strictObject({ token: text(100), full_name: fullName, email, password }),
  response: { 201: done },
});
