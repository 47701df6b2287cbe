import { z } from 'zod';
import type { Schemas } from '../kit/endpoint.ts';
import { done, isoInstant, text } from '../kit/schemas.ts';
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

const withCodes = done.extend({ recovery_codes: z.array(z.string()) });

export const proveIdentity = {
  summary: 'Password, and code where there is a second factor, once more',
  body: z.strictObject({ password: loginPassword, code: text(40, 'Escribe el código').optional() }),
  response: { 200: done },
} satisfies Schemas;

export const requireProof = {
  summary: 'Refused with 403 and code step_up unless password and code were given lately',
  response: { 200: done },
} satisfies Schemas;

export const getAccount = {
  summary: 'The own account: password, second factor',
  response: { 200: z.object({ data: account }) },
} satisfies Schemas;

export const changePassword = {
  summary: 'A new password of one’s own; ends the other sessions',
  body: z.strictObject({ current_password: loginPassword, password }),
  response: { 200: done },
} satisfies Schemas;

export const listSessions = {
  summary: 'Where one is signed in',
  response: { 200: z.object({ data: z.array(ownSession) }) },
} satisfies Schemas;

export const closeOtherSessions = { summary: 'End every session of one’s own but this one', response: { 200: done } } satisfies Schemas;

export const startSecondFactor = {
  summary: 'A secret for an authenticator application, not yet in use',
  response: { 200: z.object({ secret: z.string(), uri: z.string(), qr: z.string() }) },
} satisfies Schemas;

export const confirmSecondFactor = {
  summary: 'A first code puts the secret to use; recovery codes are shown this once',
  body: z.strictObject({ code: text(40, 'Escribe el código') }),
  response: { 200: withCodes },
} satisfies Schemas;

export const renewRecoveryCodes = {
  summary: 'New recovery codes; the old ones no longer serve',
  response: { 200: withCodes },
} satisfies Schemas;

export const removeSecondFactor = {
  summary: 'Remove the second factor, unless the settings demand it of the role',
  response: { 200: done },
} satisfies Schemas;
