import { z } from 'zod';
import type { Schemas } from '../kit/endpoint.ts';
import { inputsOf } from '../kit/fields.schemas.ts';
import { done, doneWith, id, idsQuery, isoInstant, listOf, paged, pageQuery, version } from '../kit/schemas.ts';
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

export const updateWebhookBody = z.strictObject({ ...z.object(fields).partial().shape, version });

/** `whsec_…`; returned only when the secret is created or changed. */
const secreto = z.string();

export const listWebhooks = {
  summary: 'The addresses that are told of orders and stock; for a key, those that it made',
  query: z.strictObject(idsQuery),
  response: { 200: listOf(webhook) },
} satisfies Schemas;

export const createWebhook = {
  summary: 'New webhook; the answer alone holds its secret',
  body: createWebhookBody,
  response: { 201: doneWith(webhook).extend({ secreto }) },
} satisfies Schemas;

export const updateWebhook = {
  summary: 'Change a webhook, a stale version is refused with 409; deactivating it gives up what waits',
  body: updateWebhookBody,
  response: { 200: doneWith(webhook) },
} satisfies Schemas;

export const deleteWebhook = { summary: 'Delete a webhook, with what waits to be sent to it', response: { 200: done } } satisfies Schemas;

export const changeWebhookSecret = {
  summary: 'Another secret, which signs from now on; the answer alone holds it',
  response: { 200: doneWith(webhook).extend({ secreto }) },
} satisfies Schemas;

export const testWebhook = {
  summary: 'Send a `prueba` event at once and say what came of it',
  response: { 200: z.object({ message: z.string(), data: z.object({ enviado: z.boolean(), error: z.string().nullable() }) }) },
} satisfies Schemas;

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

export const listEntregas = {
  summary: 'What was sent to a webhook in the last month, by pages, newest first',
  query: z.strictObject(pageQuery),
  response: { 200: paged(entregaWebhook) },
} satisfies Schemas;

export const reenviarEntrega = {
  summary: 'Send the same again under the same `webhook-id`; 409 while it is still tried',
  response: { 200: done },
} satisfies Schemas;
