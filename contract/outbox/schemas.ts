import { z } from 'zod';
import { doneMessage, id, isoInstant, operation } from '../kit/schemas.ts';

export const MAX_PERDIDOS = 100;

export const canal = z.enum(['correo', 'push', 'webhook', 'tienda']);

export const esperando = z.object({
  canal,
  servidor: z.string().nullable().describe('Host that refuses the messages; null if there was no address to ask'),
  motivo: z.string(),
  mensajes: z.number(),
  intentos: z.number(),
  desde: isoInstant,
});

export const perdido = z.object({
  id,
  canal,
  servidor: z.string().nullable(),
  motivo: z.string().nullable(),
  created_at: isoInstant,
  perdido_at: isoInstant,
  para: z.string().nullable(),
  asunto: z.string().nullable(),
});

export const listUndelivered = operation(
  'Mails and webhooks that wait after several attempts, by host, and those given up in the last month',
  { 200: z.object({ esperando: z.array(esperando), perdidos: z.array(perdido) }) },
);

export const resendGivenUp = operation('Try given-up mails and webhooks again, under their ids', {
  body: z.strictObject({ ids: z.array(id).min(1, 'Elige al menos un mensaje').max(MAX_PERDIDOS) }),
  200: doneMessage.extend({ reenviados: z.number() }),
});
