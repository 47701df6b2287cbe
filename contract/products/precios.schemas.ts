import { z } from 'zod';
import { day, doneMessage, doneWith, euros, id, listOf, operation } from '../kit/schemas.ts';

/* A reseller's own price for a pack. */

export const precio = z.object({
  id,
  revendedor_id: id,
  revendedor_nombre: z.string(),
  desde: day,
  precio: z.number(),
  vigente: z.boolean().describe('In force today: the latest that has begun'),
});

export const listPrecios = operation('The prices that resellers have for a pack, by reseller and day', { 200: listOf(precio) });

export const setPrecio = operation(
  'What the pack costs a reseller from a day on; the same day again replaces it, and orders keep their price',
  {
    body: z.strictObject({
      revendedor_id: z.uuid('Elige un revendedor'),
      desde: day,
      precio: euros('Indica el precio'),
    }),
    200: doneWith(precio),
  },
);

export const deletePrecio = operation('Forget a price of a reseller, who then pays the one before it, or the pack’s', { 200: doneMessage });
