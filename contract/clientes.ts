import { z } from 'zod';
import { endpoint } from './kit.ts';

/** A customer's details as of the latest of the caller's orders. */
export const cliente = z.object({
  cliente_nombre: z.string(),
  cliente_telefono: z.string().nullable(),
  cliente_direccion: z.string(),
  cliente_direccion2: z.string().nullable(),
  cliente_ciudad: z.string().nullable(),
  cliente_provincia: z.string().nullable(),
  cliente_codigo_postal: z.string().nullable(),
  cliente_pais: z.string().nullable(),
  pedidos: z.number(),
});
export type Cliente = z.infer<typeof cliente>;

export const listClientes = endpoint({
  method: 'GET',
  path: '/api/clientes',
  action: 'cliente:read',
  summary: 'Known customers by name or phone, from the orders the caller may see',
  query: z.strictObject({
    search: z
      .string()
      .trim()
      .min(3, 'Escribe al menos tres letras')
      .max(100, 'La búsqueda es demasiado larga')
      .refine((s) => s.isWellFormed() && !s.includes('\0'), 'Búsqueda no válida'),
  }),
  response: { 200: z.object({ data: z.array(cliente) }) },
});
