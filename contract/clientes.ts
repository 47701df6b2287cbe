import { z } from 'zod';
import { endpoint } from './kit.ts';
import { CLIENTE_FIELDS, PEDIDO_FIELDS } from './pedidos.fields.ts';
import { searchText } from './pedidos.filters.ts';
import { answersOf } from './schema.ts';

/** A customer's details as of the latest of the caller's orders. */
export const cliente = z.object({
  ...answersOf(PEDIDO_FIELDS, CLIENTE_FIELDS),
  pedidos: z.number(),
});
export type Cliente = z.infer<typeof cliente>;

export const listClientes = endpoint('GET', '/api/clientes', {
  action: 'cliente:read',
  summary: 'Known customers by name or phone, from the orders the caller may see',
  query: z.strictObject({
    search: searchText.min(3, 'Escribe al menos tres letras'),
  }),
  response: { 200: z.object({ data: z.array(cliente) }) },
});
