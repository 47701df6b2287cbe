import { z } from 'zod';
import { doneMessage, id, isoInstant, operation } from '../kit/schemas.ts';

export const notification = z.object({
  id,
  tipo: z.string(),
  texto: z.string(),
  enlace: z.string(),
  created_at: isoInstant,
  read_at: isoInstant.nullable(),
});

export const listNotifications = operation(
  'The caller’s latest notifications and how many are unread; the orders to be taken are one, that counts them',
  {
    200: z.object({
      data: z.array(notification),
      unread: z.number(),
    }),
  },
);

export const readNotifications = operation('Mark as read: the given ones, those about an order, or all', {
  body: z.strictObject({ ids: z.array(id).max(100).optional(), pedido_id: id.optional() }),
  200: doneMessage,
});
