import { z } from 'zod';
import { day, done, doneWith, endpoint, euros, id, listOf } from './kit.ts';

/* What a pack costs a reseller, where it is not what it costs everybody. */

export const precio = z.object({
  id,
  revendedor_id: id,
  revendedor_nombre: z.string(),
  /** The first day on which it counts. */
  desde: day,
  precio: z.number(),
  /** Counts today: the latest that has begun. */
  vigente: z.boolean(),
});
export type Precio = z.infer<typeof precio>;

export const listPrecios = endpoint('GET', '/api/product-packs/:id/precios', {
  action: 'price:manage',
  summary: 'The prices that resellers have for a pack, by reseller and day',
  response: { 200: listOf(precio) },
});
export const setPrecio = endpoint('PUT', '/api/product-packs/:id/precios', {
  action: 'price:manage',
  summary: 'What the pack costs a reseller from a day on; the same day again replaces it, and orders keep their price',
  body: z.strictObject({
    revendedor_id: z.uuid('Elige un revendedor'),
    desde: day,
    precio: euros('Indica el precio'),
  }),
  response: { 200: doneWith(precio) },
});
export const deletePrecio = endpoint('DELETE', '/api/precios/:id', {
  action: 'price:manage',
  summary: 'Forget a price of a reseller, who then pays the one before it, or the pack’s',
  response: { 200: done },
});
