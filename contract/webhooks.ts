import { z } from 'zod';
import { done, doneWith, endpoint, id, instant, listOf, paged, pageQuery, version } from './kit.ts';
import { inputsOf } from './schema.ts';
import { NO_EVENTS, WEBHOOK_EVENT_NAMES, WEBHOOK_FIELDS } from './webhooks.fields.ts';

export const MAX_WEBHOOKS = 20;

export const webhook = z.object({
  id,
  url: z.string(),
  descripcion: z.string().nullable(),
  eventos: z.array(z.enum(WEBHOOK_EVENT_NAMES)),
  /** Whether orders are sent with their prices. */
  con_precios: z.boolean(),
  is_active: z.boolean(),
  created_at: instant,
  version: z.number(),
  /** Deliveries of the last month that are still tried, and that were given up, tests apart. */
  esperando: z.number(),
  fallidas: z.number(),
});
export type Webhook = z.infer<typeof webhook>;

const { url, descripcion } = inputsOf(WEBHOOK_FIELDS, ['url', 'descripcion']);
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
/** What is absent stays unchanged. */
export const updateWebhookBody = z.strictObject({ ...z.object(fields).partial().shape, version });

/** The secret (`whsec_…`), shown here and never again. */
const secreto = z.string();

export const listWebhooks = endpoint('GET', '/api/webhooks-salientes', {
  action: 'webhook:manage',
  summary: 'The addresses that are told of orders and stock',
  response: { 200: listOf(webhook) },
});
export const createWebhook = endpoint('POST', '/api/webhooks-salientes', {
  action: 'webhook:manage',
  stepUp: true,
  summary: 'New webhook; the answer alone holds its secret',
  body: createWebhookBody,
  response: { 201: doneWith(webhook).extend({ secreto }) },
});
export const updateWebhook = endpoint('PUT', '/api/webhooks-salientes/:id', {
  action: 'webhook:manage',
  // Both send what was sent nowhere before.
  stepUp: ({ url: address, con_precios }: z.output<typeof updateWebhookBody>) => address !== undefined || con_precios === true,
  summary: 'Change a webhook, a stale version is refused with 409; deactivating it gives up what waits',
  body: updateWebhookBody,
  response: { 200: doneWith(webhook) },
});
export const deleteWebhook = endpoint('DELETE', '/api/webhooks-salientes/:id', {
  action: 'webhook:manage',
  summary: 'Delete a webhook, with what waits to be sent to it',
  response: { 200: done },
});
export const changeWebhookSecret = endpoint('POST', '/api/webhooks-salientes/:id/secreto', {
  action: 'webhook:manage',
  stepUp: true,
  summary: 'Another secret, which signs from now on; the answer alone holds it',
  response: { 200: doneWith(webhook).extend({ secreto }) },
});
export const testWebhook = endpoint('POST', '/api/webhooks-salientes/:id/probar', {
  action: 'webhook:manage',
  summary: 'Send a `prueba` event at once and say what came of it',
  response: { 200: z.object({ message: z.string(), data: z.object({ enviado: z.boolean(), error: z.string().nullable() }) }) },
});

export const entrega = z.object({
  id,
  tipo: z.string(),
  /** Number of the order or name of the product that it tells of. */
  asunto: z.string().nullable(),
  created_at: instant,
  estado: z.enum(['enviado', 'esperando', 'fallido']),
  intentos: z.number(),
  /** Why the last attempt failed: a Spanish sentence. */
  error: z.string().nullable(),
  /** When it is tried next, while it waits. */
  proximo_at: instant.nullable(),
});
export type Entrega = z.infer<typeof entrega>;

export const listEntregas = endpoint('GET', '/api/webhooks-salientes/:id/entregas', {
  action: 'webhook:manage',
  summary: 'What was sent to a webhook in the last month, by pages, newest first',
  query: z.strictObject(pageQuery),
  response: { 200: paged(entrega) },
});
export const reenviarEntrega = endpoint('POST', '/api/webhooks-salientes/entregas/:id/reenviar', {
  action: 'webhook:manage',
  summary: 'Send the same again under the same `webhook-id`; 409 while it is still tried',
  response: { 200: done },
});
