import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export const MAX_WEBHOOKS = 20;

export const MAX_WEBHOOKS_OF_KEY = 5;

export type Webhook = z.infer<typeof schemas.webhook>;

export const listWebhooks = endpoint<typeof schemas.listWebhooks>()('GET', '/api/webhooks-salientes', 'webhook:manage');

export const createWebhook = endpoint<typeof schemas.createWebhook>()('POST', '/api/webhooks-salientes', {
  action: 'webhook:manage',
  stepUp: true,
  keysWithoutProof: true,
});

export const updateWebhook = endpoint<typeof schemas.updateWebhook>()('PUT', '/api/webhooks-salientes/:id', {
  action: 'webhook:manage',
  // Needs proof: a new URL sends the data elsewhere, and `con_precios` adds prices to the data.
  stepUp: ({ url: address, con_precios }: z.output<typeof schemas.updateWebhookBody>) => address !== undefined || con_precios === true,
  keysWithoutProof: true,
});

export const deleteWebhook = endpoint<typeof schemas.deleteWebhook>()('DELETE', '/api/webhooks-salientes/:id', 'webhook:manage');

export const changeWebhookSecret = endpoint<typeof schemas.changeWebhookSecret>()('POST', '/api/webhooks-salientes/:id/secreto', {
  action: 'webhook:manage',
  stepUp: true,
  keysWithoutProof: true,
});

export const testWebhook = endpoint<typeof schemas.testWebhook>()('POST', '/api/webhooks-salientes/:id/probar', 'webhook:manage');

export type EntregaWebhook = z.infer<typeof schemas.entregaWebhook>;

export const listEntregas = endpoint<typeof schemas.listEntregas>()('GET', '/api/webhooks-salientes/:id/entregas', 'webhook:manage');

export const reenviarEntrega = endpoint<typeof schemas.reenviarEntrega>()(
  'POST',
  '/api/webhooks-salientes/entregas/:id/reenviar',
  'webhook:manage',
);
