import { z } from 'zod';
import { doneMessage, isoInstant, operation, text } from '../kit/schemas.ts';
import { ROLES } from '../policy/policy.ts';
import { loginPassword } from '../session/schemas.ts';
import { password } from '../users/schemas.ts';

export const account = z.object({
  full_name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  password_changed_at: isoInstant,
  password_expires_at: isoInstant.nullable().describe('Null when passwords do not expire (setting `passwordExpiry`)'),
  second_factor: z.boolean(),
  second_factor_required: z.boolean(),
  recovery_codes_left: z.number(),
});

export const ownSession = z.object({
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  created_at: isoInstant,
  last_seen_at: isoInstant,
  actual: z.boolean(),
});

const withCodes = doneMessage.extend({ recovery_codes: z.array(z.string()) });

export const proveIdentity = operation('Password, and code where there is a second factor, once more', {
  body: z.strictObject({ password: loginPassword, code: text(40, 'Escribe el código').optional() }),
  200: doneMessage,
});

export const requireProof = operation('Refused with 403 and code step_up unless password and code were given lately', { 200: doneMessage });

export const getAccount = operation('The own account: password, second factor', { 200: z.object({ data: account }) });

export const changePassword = operation('A new password of one’s own; ends the other sessions', {
  body: z.strictObject({ current_password: loginPassword, password }),
  200: doneMessage,
});

export const listSessions = operation('Where one is signed in', { 200: z.object({ data: z.array(ownSession) }) });

export const closeOtherSessions = operation('End every session of one’s own but this one', { 200: doneMessage });

export const startSecondFactor = operation('A secret for an authenticator application, not yet in use', {
  200: z.object({ secret: z.string(), uri: z.string(), qr: z.string() }),
});

export const confirmSecondFactor = operation('A first code puts the secret to use; recovery codes are shown this once', {
  body: z.strictObject({ code: text(40, 'Escribe el código') }),
  200: withCodes,
});

export const renewRecoveryCodes = operation('New recovery codes; the old ones no longer serve', { 200: withCodes });

export const removeSecondFactor = operation('Remove the second factor, unless the settings demand it of the role', { 200: doneMessage });
