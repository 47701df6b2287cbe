import { z } from 'zod';
import type { Schemas } from '../kit/endpoint.ts';
import { done, id, isoInstant } from '../kit/schemas.ts';

export const notification = z.object({
  id,
  tipo: z.string(),
  texto: z.string(),
  enlace: z.string(),
  created_at: isoInstant,
  read_at: isoInstant.nullable(),
});

export const listNotifications = {
  summary: 'The caller’s latest notifications and how many are unread; the orders to be taken are one, that counts them',
  response: {
    200: z.object({
      data: z.array(notification),
      unread: z.number(),
    }),
  },
} satisfies Schemas;

export const readNotifications = {
  summary: 'Mark as read: the given ones, those about an order, or all',
  body: z.strictObject({ ids: z.array(id).max(100).optional(), pedido_id: id.optional() }),
  response: { 200: done },
} satisfies Schemas;
