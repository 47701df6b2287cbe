import { z } from 'zod';
import { done, endpoint, instant, text } from './kit.ts';
import { ROLES } from './policy.ts';
import { loginPassword } from './session.ts';
import { password } from './users.ts';

/** Recovery codes in a full set, and digits of an authenticator code. */
export const RECOVERY_CODES = 10;
export const CODE_DIGITS = 6;

export const account = z.object({
  full_name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  password_changed_at: instant,
  /** Null when passwords do not expire (setting `passwordExpiry`). */
  password_expires_at: instant.nullable(),
  second_factor: z.boolean(),
  /** True when the setting `twoFactorAuth` requires it of this role. */
  second_factor_required: z.boolean(),
  recovery_codes_left: z.number(),
});
export type Account = z.infer<typeof account>;

export const ownSession = z.object({
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  created_at: instant,
  last_seen_at: instant,
  /** True for the session making the request. */
  actual: z.boolean(),
});
export type OwnSession = z.infer<typeof ownSession>;

const OWN = { action: 'session', whilePending: true } as const;
const withCodes = done.extend({ recovery_codes: z.array(z.string()) });

/** Proves who is at the session, for the five minutes in which endpoints with `stepUp` do not ask. */
export const proveIdentity = endpoint('POST', '/api/cuenta/confirmar', {
  ...OWN,
  summary: 'Password, and code where there is a second factor, once more',
  body: z.strictObject({ password: loginPassword, code: text(40, 'Escribe el código').optional() }),
  response: { 200: done },
});
/** Before what the browser fetches by itself, such as a file, and so cannot ask and repeat. */
export const requireProof = endpoint('GET', '/api/cuenta/confirmar', {
  ...OWN,
  stepUp: true,
  summary: 'Refused with 403 and code step_up unless password and code were given lately',
  response: { 200: done },
});

export const getAccount = endpoint('GET', '/api/cuenta', {
  ...OWN,
  summary: 'The own account: password, second factor',
  response: { 200: z.object({ data: account }) },
});
export const changePassword = endpoint('PUT', '/api/cuenta/password', {
  ...OWN,
  summary: 'A new password of one’s own; ends the other sessions',
  body: z.strictObject({ current_password: loginPassword, password }),
  response: { 200: done },
});
export const listSessions = endpoint('GET', '/api/cuenta/sesiones', {
  ...OWN,
  summary: 'Where one is signed in',
  response: { 200: z.object({ data: z.array(ownSession) }) },
});
export const closeOtherSessions = endpoint('DELETE', '/api/cuenta/sesiones', {
  ...OWN,
  summary: 'End every session of one’s own but this one',
  response: { 200: done },
});
/** Restarts any unfinished setup; the current secret stays valid until the new one is confirmed. */
export const startSecondFactor = endpoint('POST', '/api/cuenta/segundo-factor', {
  ...OWN,
  stepUp: true,
  summary: 'A secret for an authenticator application, not yet in use',
  response: { 200: z.object({ secret: z.string(), uri: z.string(), qr: z.string() }) },
});
export const confirmSecondFactor = endpoint('POST', '/api/cuenta/segundo-factor/confirmar', {
  ...OWN,
  summary: 'A first code puts the secret to use; recovery codes are shown this once',
  body: z.strictObject({ code: text(40, 'Escribe el código') }),
  response: { 200: withCodes },
});
export const renewRecoveryCodes = endpoint('POST', '/api/cuenta/segundo-factor/codigos', {
  ...OWN,
  stepUp: true,
  summary: 'New recovery codes; the old ones no longer serve',
  response: { 200: withCodes },
});
export const removeSecondFactor = endpoint('POST', '/api/cuenta/segundo-factor/quitar', {
  ...OWN,
  stepUp: true,
  summary: 'Remove the second factor, unless the settings demand it of the role',
  response: { 200: done },
});
