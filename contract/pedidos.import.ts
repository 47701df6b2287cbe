import { z } from 'zod';
import { done, endpoint, id } from './kit.ts';
import { EDITABLE_FIELDS, PEDIDO_FIELDS } from './pedidos.fields.ts';
import { inputsOf } from './schema.ts';

/* Many orders at once, from a sheet. */

/** Most orders of one import. */
export const MAX_FILAS = 2000;
/** Days within which the same telephone and pack are taken for the same order. */
export const DUPLICATE_DAYS = 3;
const MAX_BYTES = 4_000_000;

const { cantidad } = inputsOf(PEDIDO_FIELDS, ['cantidad']);
/** One order of one line; its pack is one that can be ordered. */
const fila = z.strictObject({
  ...inputsOf(PEDIDO_FIELDS, EDITABLE_FIELDS),
  pack_id: z.uuid('Selecciona un pack válido'),
  cantidad: cantidad.default(1),
});
export type Fila = z.input<typeof fila>;

const importBody = z.strictObject({
  filas: z.array(fila).min(1, 'No hay ningún pedido que crear').max(MAX_FILAS, `Como máximo ${MAX_FILAS} pedidos a la vez`),
  /** Whose orders they are; a reseller’s are their own. */
  revendedor_id: id.nullish(),
  /** Unpaid, to be collected by link, as a reseller’s always are; a superadmin’s are otherwise pendiente. */
  cobrar: z.boolean().default(false),
});
export type ImportPedidos = z.output<typeof importBody>;

export const checkImport = endpoint('POST', '/api/pedidos/importar/comprobar', {
  action: 'pedido:create',
  also: 'pedido:prices',
  summary: 'What an import would come to, what the stock does not suffice for, and which rows look like orders there are',
  bodyLimit: MAX_BYTES,
  body: importBody,
  response: {
    200: z.object({
      data: z.object({
        /** Euros. */
        total: z.number(),
        /** Products that do not suffice, each a Spanish sentence. */
        faltan: z.array(z.string()),
        /** Rows, from 0, with the order that each repeats: one there is, or an earlier row of the same import. */
        repetidas: z.array(z.object({ fila: z.number(), numero_orden: z.string().nullable(), como_fila: z.number().nullable() })),
      }),
    }),
  },
});

export const importPedidos = endpoint('POST', '/api/pedidos/importar', {
  action: 'pedido:create',
  also: 'pedido:prices',
  summary: 'Create up to 2,000 orders, all or none; errors name their row, `filas.3.cliente_nombre`',
  bodyLimit: MAX_BYTES,
  body: importBody,
  response: { 201: done.extend({ creados: z.number() }) },
});
