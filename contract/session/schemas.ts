import { z } from 'zod';
import { CANAL_NAMES, MOMENTO_NAMES } from '../avisos-cliente/fields.ts';
import { doneMessage, id, operation, text } from '../kit/schemas.ts';
import { ROLES } from '../policy/policy.ts';
import { reglasEntrega } from '../pruebas/schemas.ts';
import { email, fullName, password } from '../users/schemas.ts';
import { REPARTO_EN_USO } from '../zonas/reparto.ts';
import { PENDING, REQUIRED } from './fields.ts';

const avisosCliente = z.object({
  tienda: z.string(),
  canales: z.array(z.enum(CANAL_NAMES)),
  textos: z.partialRecord(z.enum(MOMENTO_NAMES), z.string()).describe('Only texts that the business has changed and the person may use'),
});

export const sessionUser = z.object({
  id,
  full_name: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  pending: z.enum(PENDING).nullable(),
  contra_reembolso: z.literal(true).optional().describe('Present if the person sells or delivers orders paid on delivery'),
  caja: z
    .literal(true)
    .optional()
    .describe('Present if cash still waits to be handed over or confirmed, though no more is sold on delivery'),
  etiquetas: z.literal(true).optional().describe('Present if the person prints labels, in a shop that uses them'),
  partes: z.literal(true).optional().describe('Deliveries may leave something out'),
  deshacer: z.number().optional().describe('Minutes in which the person may take an own delivery back; absent: none'),
  zonas: z.enum(REPARTO_EN_USO).optional().describe('How carriers are offered the orders of their zones; absent: zones are not used'),
  ruta: z.literal(true).optional().describe('Present if the person puts orders in the order of the visit'),
  iva: z.literal(true).optional().describe('Present for people who see prices, in a shop that uses VAT'),
  conserva: z.literal(true).optional().describe('Present if this device may keep the last responses for the next start'),
  mide: z.literal(true).optional().describe('Present if this browser may report how long its screens take'),
  envios: z.literal(true).optional().describe('Present where orders are handed to other companies by files'),
  tiendas: z
    .array(z.string())
    .optional()
    .describe('Names of the web shops, where there are two or more, for people who see an order’s shop'),
});

/** The business's settings for every screen. `theme`, `primaryColor` and `compactMode` apply where the browser stores no choice. */
const negocio = z.object({
  timezone: z.string(),
  theme: z.enum(['light', 'dark', 'auto']),
  primaryColor: z.string(),
  compactMode: z.boolean(),
  entrega: reglasEntrega.optional().describe('What completing asks of a carrier, by way of delivery; absent: no proof'),
  avisos: avisosCliente.optional().describe('Messages to customers; absent: no channel is offered'),
  direccion: z.string().optional().describe('Address with which other devices open the program; absent: only this machine does'),
});

/** Existing password to verify, so strength rules do not apply. */
export const loginPassword = z.string({ error: REQUIRED }).min(1, REQUIRED).max(200, 'La contraseña es demasiado larga');

export const loginBody = z.strictObject({
  email: text(254, REQUIRED),
  password: loginPassword,
  code: z.string('Código no válido').max(40, 'Código no válido').optional(),
  remember: z
    .boolean('Valor no válido')
    .optional()
    .describe('Keeps the browser signed in for `rememberDays`, idle or not; if absent, only of a carrier'),
});

export const getCsrfToken = operation('Sets the XSRF-TOKEN cookie that every write echoes in X-XSRF-TOKEN', {
  200: z.object({ success: z.literal(true) }),
});

export const login = operation('Sign in with e-mail or user name; 401 with code second_factor asks for the code too', {
  body: loginBody,
  200: doneMessage,
});

export const logout = operation('End this session', { 200: doneMessage });

export const getUser = operation('The signed-in person, and what every screen needs of the business', {
  200: z.object({ user: sessionUser, negocio }),
});

const invited = z.object({ token: text(100) });

export const getInvitation = operation('Whom the link of an invitation is for; 404 once used, withdrawn, replaced or too old', {
  params: invited,
  200: z.object({ data: z.object({ full_name: z.string(), email: z.string(), empresa: z.string() }) }),
});

export const acceptInvitation = operation('Set the first password by the link of an invitation, and sign in', {
  params: invited,
  body: z.strictObject({ password }),
  200: doneMessage,
});

export const getFirstAccess = operation('Whether the first superadmin is missing', {
  200: z.object({ data: z.object({ pendiente: z.boolean() }) }),
});

export const firstAccess = operation('Make the first superadmin with the one-time code printed at start, and sign in', {
  body: z.strictObject({ token: text(100, 'Escribe el código'), full_name: fullName, email, password }),
  201: doneMessage,
});
