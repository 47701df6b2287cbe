import { z } from 'zod';
import { inputSchemas } from '../kit/fields.schemas.ts';
import { doneMessage, doneWith, id, idsQuery, isoInstant, listOf, operation, paged, pageQuery, version } from '../kit/schemas.ts';
import { NO_EVENTS, WEBHOOK_EVENT_NAMES, WEBHOOK_FIELDS } from './fields.ts';

export const webhook = z.object({
  id,
  url: z.string(),
  descripcion: z.string().nullable(),
  eventos: z.array(z.enum(WEBHOOK_EVENT_NAMES)),
  con_precios: z.boolean(),
  is_active: z.boolean(),
  created_at: isoInstant,
  version: z.number(),
  clave: z
    .object({ nombre: z.string(), activa: z.boolean() })
    .nullable()
    .describe('API key that made it; once it has ended, nothing is sent'),
  esperando: z.number().describe('Pending and given-up deliveries of the last month, without tests'),
  fallidas: z.number(),
});

const { url, descripcion } = inputSchemas(WEBHOOK_FIELDS, ['url', 'descripcion']);

const fields = {
  url: url.refine((address) => URL.canParse(address), WEBHOOK_FIELDS.url.invalid),
  descripcion,
  eventos: z.array(z.enum(WEBHOOK_EVENT_NAMES), NO_EVENTS).min(1, NO_EVENTS).max(WEBHOOK_EVENT_NAMES.length),
  con_precios: z.boolean(),
  is_active: z.boolean(),
};

export const createWebhookBody = z.strictObject({
  ...fields,
  con_precios: z.boolean().default(false),
  is_active: z.boolean().default(true),
});

export const updateWebhookBody = z.strictObject({ ...z.object(fields).partial().shape, version });

/** `whsec_…`; returned only when the secret is created or changed. */
const secreto = z.string();

export const listWebhooks = operation('The addresses that are told of orders and stock; for a key, those that it made', {
  query: z.strictObject(idsQuery),
  200: listOf(webhook),
});

export const createWebhook = operation('New webhook; the answer alone holds its secret', {
  body: createWebhookBody,
  201: doneWith(webhook).extend({ secreto }),
});

export const updateWebhook = operation('Change a webhook, a stale version is refused with 409; deactivating it gives up what waits', {
  body: updateWebhookBody,
  200: doneWith(webhook),
});

export const deleteWebhook = operation('Delete a webhook, with what waits to be sent to it', { 200: doneMessage });

export const changeWebhookSecret = operation('Another secret, which signs from now on; the answer alone holds it', {
  200: doneWith(webhook).extend({ secreto }),
});

export const testWebhook = operation('Send a `prueba` event at once and say what came of it', {
  200: z.object({ message: z.string(), data: z.object({ enviado: z.boolean(), error: z.string().nullable() }) }),
});

export const entregaWebhook = z.object({
  id,
  tipo: z.string(),
  asunto: z.string().nullable(),
  created_at: isoInstant,
  estado: z.enum(['enviado', 'esperando', 'fallido']),
  intentos: z.number(),
  error: z.string().nullable(),
  proximo_at: isoInstant.nullable().describe('Next attempt, while pending'),
});

export const listEntregas = operation('What was sent to a webhook in the last month, by pages, newest first', {
  query: z.strictObject(pageQuery),
  200: paged(entregaWebhook),
});

export const reenviarEntrega = operation('Send the same again under the same `webhook-id`; 409 while it is still tried', {
  200: doneMessage,
});
