import { z } from 'zod';
import { done, endpoint, id, text } from './kit.ts';
import { ROLES } from './policy.ts';
import { email, fullName, password } from './users.ts';

/** Steps a person must complete in «Mi cuenta» before using anything else. */
export const PENDING = ['password', 'second_factor'] as const;
export type Pending = (typeof PENDING)[number];

/** Header of background requests, which must not keep a session alive. */
export const UNATTENDED = 'x-unattended';

export const sessionUser = z.object({
  id,
  full_name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  pending: z.enum(PENDING).nullable(),
});
export type SessionUser = z.infer<typeof sessionUser>;

/** The business's time zone, and the appearance for people who have not chosen their own. */
const negocio = z.object({
  timezone: z.string(),
  theme: z.enum(['light', 'dark', 'auto']),
  primaryColor: z.string(),
  compactMode: z.boolean(),
});

const REQUIRED = 'Todos los campos son obligatorios';
/** A password to verify, so strength rules do not apply. */
export const loginPassword = z.string({ error: REQUIRED }).min(1, REQUIRED).max(200, 'La contraseña es demasiado larga');
export const loginBody = z.strictObject({
  email: text(254, REQUIRED),
  password: loginPassword,
  code: z.string('Código no válido').max(40, 'Código no válido').optional(),
  /** Keeps this browser signed in for the days of the setting `rememberDays`, idle or not. */
  remember: z.boolean('Valor no válido').default(false),
});

export const getCsrfToken = endpoint('GET', '/api/csrf-token', {
  action: 'public',
  summary: 'Sets the XSRF-TOKEN cookie that every write echoes in X-XSRF-TOKEN',
  response: { 200: z.object({ success: z.literal(true) }) },
});
export const login = endpoint('POST', '/api/login', {
  action: 'public',
  summary: 'Sign in with e-mail or user name; 401 with code second_factor asks for the code too',
  body: loginBody,
  response: { 200: done },
});
export const logout = endpoint('POST', '/api/logout', {
  action: 'public',
  summary: 'End this session',
  response: { 200: done },
});
export const getUser = endpoint('GET', '/api/user', {
  action: 'session',
  whilePending: true,
  summary: 'The signed-in person, and what every screen needs of the business',
  response: { 200: z.object({ user: sessionUser, negocio }) },
});

/** First access through the one-time URL printed at startup on an empty database. */
export const firstAccess = endpoint('POST', '/api/primer-acceso', {
  action: 'public',
  summary: 'Make the first superadmin with the one-time value printed at start',
  body: z.strictObject({ token: text(100), full_name: fullName, email, password }),
  response: { 201: done },
});
