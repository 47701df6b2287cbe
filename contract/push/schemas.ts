import { z } from 'zod';
import { doneMessage, isoInstant, operation, text } from '../kit/schemas.ts';
import { isPushService } from './fields.ts';

const address = text(1000).refine(isPushService, 'No es la dirección de un servicio de avisos');

const key = (bytes: number) =>
  z
    .string('Clave no válida')
    .regex(/^[A-Za-z0-9_-]+={0,2}$/, 'Clave no válida')
    .refine((value) => value.replace(/=+$/, '').length === Math.ceil((bytes * 4) / 3), 'Clave no válida');

/** A subscribed browser, identified by `endpoint`. */
export const pushDevice = z.object({ endpoint: z.string(), user_agent: z.string().nullable(), created_at: isoInstant });

export const getPush = operation(
  'Whether browsers are told, the key they subscribe with, and the caller’s own browsers, the newest first',
  {
    200: z.object({
      data: z.object({
        enabled: z.boolean(),
        public_key: z.string(),
        apple: z.boolean().describe('False if Apple refuses: the shop has neither an e-mail nor an https address to be reached at'),
        devices: z.array(pushDevice),
      }),
    }),
  },
);

export const subscribePush = operation('Tell the caller in this browser too; it is taken over from whoever used it before', {
  body: z.strictObject({ endpoint: address, keys: z.strictObject({ p256dh: key(65), auth: key(16) }) }),
  200: doneMessage,
});

export const unsubscribePush = operation('Tell the caller no longer in this browser; somebody else’s subscription is left as it is', {
  body: z.strictObject({ endpoint: text(1000) }),
  200: doneMessage,
});
