import { z } from 'zod';
import { done, endpoint, id, text } from './kit.ts';
import { ROLES } from './policy.ts';
import { email, fullName, password } from './users.ts';

export const sessionUser = z.object({ id, full_name: z.string(), email: z.string(), role: z.enum(ROLES) });
export type SessionUser = z.infer<typeof sessionUser>;

const REQUIRED = 'Todos los campos son obligatorios';
export const loginBody = z.strictObject({
  email: text(254, REQUIRED),
  password: z.string({ error: REQUIRED }).min(1, REQUIRED).max(200, 'La contraseña es demasiado larga'),
});

export const getCsrfToken = endpoint({
  method: 'GET',
  path: '/api/csrf-token',
  allow: 'public',
  summary: 'Sets the XSRF-TOKEN cookie that every write echoes in X-XSRF-TOKEN',
  response: { 200: z.object({ success: z.literal(true) }) },
});
export const login = endpoint({
  method: 'POST',
  path: '/api/login',
  allow: 'public',
  summary: 'Sign in with e-mail or user name',
  body: loginBody,
  response: { 200: done },
});
export const logout = endpoint({
  method: 'POST',
  path: '/api/logout',
  allow: 'public',
  summary: 'End this session',
  response: { 200: done },
});
export const getUser = endpoint({
  method: 'GET',
  path: '/api/user',
  allow: 'session',
  summary: 'The signed-in person',
  response: { 200: z.object({ user: sessionUser }) },
});

/** The one-time address that an empty database prints at its start. */
export const firstAccess = endpoint({
  method: 'POST',
  path: '/api/primer-acceso',
  allow: 'public',
  summary: 'Make the first superadmin with the one-time value printed at start',
  body: z.strictObject({ token: text(100), full_name: fullName, email, password }),
  response: { 201: done },
});
