import { z } from 'zod';
import type { Schemas } from '../kit/endpoint.ts';
import { day, done, doneWith, euros, id, listOf } from '../kit/schemas.ts';

/* A reseller's own price for a pack. */

export const precio = z.object({
  id,
  revendedor_id: id,
  revendedor_nombre: z.string(),
  desde: day,
  precio: z.number(),
  vigente: z.boolean().describe('In force today: the latest that has begun'),
});

export const listPrecios = {
  summary: 'The prices that resellers have for a pack, by reseller and day',
  response: { 200: listOf(precio) },
} satisfies Schemas;

export const setPrecio = {
  summary: 'What the pack costs a reseller from a day on; the same day again replaces it, and orders keep their price',
  body: z.strictObject({
    revendedor_id: z.uuid('Elige un revendedor'),
    desde: day,
    precio: euros('Indica el precio'),
  }),
  response: { 200: doneWith(precio) },
} satisfies Schemas;

export const deletePrecio = {
  summary: 'Forget a price of a reseller, who then pays the one before it, or the pack’s',
  response: { 200: done },
} satisfies Schemas;
