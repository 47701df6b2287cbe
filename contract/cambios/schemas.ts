import { z } from 'zod';
import { cliente } from '../clientes/schemas.ts';
import { id, operation } from '../kit/schemas.ts';
import { pedidoByRole } from '../pedidos/schemas.ts';
import { product } from '../products/schemas.ts';
import { cursorQuery } from './cursor.schemas.ts';

const query = z.strictObject(cursorQuery);

/** `data` is null if the row is no longer in the caller's lists, such as a deleted order. */
const changesOf = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(z.object({ id, data: item.nullable() })),
    cursor: z.string().describe('Start of the next request; unchanged without changes'),
    hay_mas: z.boolean(),
  });

export const cambiosPedidos = operation(
  'Orders changed since a cursor, with their lines, each once and as it is now, in the order of their last change',
  { query, 200: changesOf(pedidoByRole) },
);

export const cambiosClientes = operation(
  'Customers changed since a cursor, each once and as it is now; null for one that was joined to another',
  { query, 200: changesOf(cliente) },
);

export const cambiosProductos = operation('Products changed since a cursor, their stock included, each once and as it is now', {
  query,
  200: changesOf(product),
});
