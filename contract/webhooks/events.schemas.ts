import { z } from 'zod';
import { cursorQuery } from '../cambios/cursor.schemas.ts';
import { id, isoInstant, operation } from '../kit/schemas.ts';
import { WEBHOOK_EVENT_NAMES } from './fields.ts';

const tipos = z.array(z.enum(WEBHOOK_EVENT_NAMES, 'Evento no válido')).max(WEBHOOK_EVENT_NAMES.length, 'Demasiados eventos');

/** `id` is the `webhook-id` of the event's deliveries; the other properties are the body of a delivery. */
const event = z.object({ id, type: z.enum(WEBHOOK_EVENT_NAMES), timestamp: isoInstant, data: z.record(z.string(), z.unknown()) });

export const listEvents = operation(
  'The events that webhooks are told, since a cursor; kept for 14 days, 410 `cursor_expired` if some since then are gone',
  {
    query: z.strictObject({
      ...cursorQuery,
      /** Names of events, separated by commas. */
      tipo: z
        .string()
        .transform((names) => names.split(','))
        .pipe(tipos)
        .optional(),
    }),
    200: z.object({ data: z.array(event), cursor: z.string(), hay_mas: z.boolean() }),
  },
);
