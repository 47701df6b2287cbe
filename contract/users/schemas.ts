import { z } from 'zod';
import { inputSchemas } from '../kit/fields.schemas.ts';
import { doneMessage, doneWith, id, idsQuery, isoInstant, listOf, operation, ruledText, version } from '../kit/schemas.ts';
import { ROLES } from '../policy/policy.ts';
import { storedEmail } from '../text/email.ts';
import { normalizeZonas } from '../zonas/reparto.ts';
import { USER_FIELDS } from './fields.ts';

export const user = z.object({
  id,
  user_id: id,
  full_name: z.string(),
  email: z.string(),
  username: z.string().nullable(),
  role: z.enum(ROLES),
  is_active: z.boolean(),
  contra_reembolso: z.boolean().describe('A reseller who may sell orders paid on delivery'),
  zonas: z.string().nullable().describe('Postcodes of a carrier, such as `28*, 45001`; null: everywhere'),
  second_factor: z.boolean(),
  created_at: isoInstant,
  last_access_at: isoInstant.nullable().describe('Last sign-in or use of a session; null if never'),
  pedidos_abiertos: z.number().describe("In a carrier's hands, or awaited by a reseller's customers"),
  invited: z.boolean().describe('Invited by a link and without a password yet'),
  invite_until: isoInstant.nullable().describe('End of the link in force; null without one'),
  version: z.number(),
});

export const invitation = z.object({
  user,
  enlace: z.string().describe('Address of the link, answered this once; a path without PUBLIC_URL'),
  correo: z.boolean().describe('Also sent by mail'),
});

const fields = inputSchemas(USER_FIELDS, ['full_name', 'username', 'password', 'zonas']);

const lowercase = (name: typeof fields.username) => name.transform((value) => value?.toLowerCase() ?? null);

export const fullName = fields.full_name;

export const email = ruledText({ max: USER_FIELDS.email.max, required: USER_FIELDS.email.required })
  .overwrite(storedEmail)
  .pipe(z.email(USER_FIELDS.email.invalid));

export const password = fields.password;

const username = lowercase(fields.username);

const zonas = fields.zonas.transform(normalizeZonas);

export const createUserBody = z.strictObject({
  full_name: fullName,
  email,
  username,
  password,
  role: z.enum(ROLES),
  is_active: z.boolean().default(true),
  contra_reembolso: z.boolean().default(false),
  zonas,
});

export const inviteUserBody = createUserBody.omit({ password: true, is_active: true, contra_reembolso: true, zonas: true });

/** Absent fields stay unchanged; a short password is rejected, not ignored. */
export const updateUserBody = z.strictObject({
  full_name: fullName.optional(),
  email: email.optional(),
  username: username.optional(),
  is_active: z.boolean().optional(),
  contra_reembolso: z.boolean().optional(),
  zonas: zonas.optional(),
  pedidos_a: id.optional().describe('Active person of the same role who takes over the open orders; absent: orders stay'),
  revocar_claves: z.literal(true, 'Valor no válido').optional(),
  password: password.optional(),
  reset_second_factor: z.literal(true, 'Valor no válido').optional().describe('For a person who lost their phone'),
  version,
});

export const listUsers = operation('People of one role, or all', {
  query: z.strictObject({ ...idsQuery, role: z.enum(ROLES).optional() }),
  200: listOf(user),
});

export const createUser = operation('New person', { body: createUserBody, 201: doneWith(user) });

export const inviteUser = operation('Invite a person, who chooses a password by the link; sent by mail too where mail is set up', {
  body: inviteUserBody,
  201: doneWith(invitation),
});

export const renewInvitation = operation('A new link for a person who has not entered yet; the former one no longer serves', {
  200: doneWith(invitation),
});

export const withdrawInvitation = operation('End the link of an invitation', { 200: doneWith(user) });

export const updateUser = operation(
  'Change a person, a stale version is refused with 409; deactivating, a new password or a removed second factor ends their sessions',
  { body: updateUserBody, 200: doneWith(user) },
);

export const deleteUser = operation(
  'Remove a person; their name stays on orders, but for the open ones given to `pedidos_a`. Their API keys go on unless they are revoked',
  { query: z.strictObject({ pedidos_a: id.optional(), revocar_claves: z.literal('si', 'Valor no válido').optional() }), 200: doneMessage },
);
