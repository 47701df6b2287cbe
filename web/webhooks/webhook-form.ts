import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { NO_EVENTS, WEBHOOK_EVENT_NAMES, WEBHOOK_FIELDS } from '../../contract/webhooks/fields.ts';
import type { createWebhook, updateWebhook, Webhook } from '../../contract/webhooks/webhooks.ts';
import { problemsIn } from '../ui/form/rules.ts';

/** Form values; events as comma-separated text. A new webhook gets all events, without prices. */
export const webhookValues = (webhook?: Webhook) => ({
  url: webhook?.url ?? '',
  descripcion: webhook?.descripcion ?? '',
  eventos: (webhook?.eventos ?? WEBHOOK_EVENT_NAMES).join(','),
  con_precios: webhook?.con_precios ?? false,
  is_active: webhook?.is_active ?? true,
});
export type WebhookValues = ReturnType<typeof webhookValues>;

export const eventsIn = (text: string) => WEBHOOK_EVENT_NAMES.filter((name) => text.split(',').includes(name));

export const createWebhookBody = (values: WebhookValues): BodyIn<typeof createWebhook> => ({
  ...values,
  eventos: eventsIn(values.eventos),
});

/** Returns only the fields that differ from `base`, because some changes require the password. */
export function updateWebhookBody(values: WebhookValues, base: Webhook): BodyIn<typeof updateWebhook> {
  const before: Record<string, unknown> = webhookValues(base);
  const trimmed = { ...values, url: values.url.trim(), descripcion: values.descripcion.trim() };
  const changed = Object.entries(trimmed).filter(([name, value]) => before[name] !== value);
  const { eventos, ...fields } = Object.fromEntries(changed) as Partial<WebhookValues>;
  return { ...fields, ...(eventos !== undefined && { eventos: eventsIn(eventos) }), version: base.version };
}

export const webhookProblems = ({ url, descripcion, eventos }: WebhookValues): Record<string, string> => ({
  ...problemsIn(WEBHOOK_FIELDS, { url, descripcion }),
  ...(eventsIn(eventos).length === 0 && { eventos: NO_EVENTS }),
});
