import { z } from 'zod';
import { inputSchemas } from '../kit/fields.schemas.ts';
import { doneMessage, id, idsQuery, isoInstant, listOf as list, operation } from '../kit/schemas.ts';
import { EDITABLE_FIELDS, MAX_FILAS, PEDIDO_FIELDS } from './fields.ts';
import { orderLines } from './lineas.schemas.ts';
import { pagado } from './pagado.schemas.ts';
import { doubtSchema } from './schemas.ts';

const { cantidad, contra_reembolso, envio, descuento } = inputSchemas(PEDIDO_FIELDS, [
  'cantidad',
  'contra_reembolso',
  'envio',
  'descuento',
]);

const packFields = { pack_id: z.uuid('Selecciona un pack válido'), cantidad: cantidad.default(1) };

export const fila = z.strictObject({
  ...inputSchemas(PEDIDO_FIELDS, EDITABLE_FIELDS),
  pack_id: packFields.pack_id.optional(),
  cantidad: packFields.cantidad,
  lineas: orderLines(z.strictObject(packFields)).optional().describe('Instead of `pack_id` and `cantidad`, for an order of several lines'),
  contra_reembolso,
  envio,
  descuento,
  pago: pagado,
});

const linesIn = (filas: readonly z.output<typeof fila>[]) => filas.reduce((all, { lineas }) => all + (lineas?.length ?? 1), 0);

export const importBody = z.strictObject({
  filas: z
    .array(fila)
    .min(1, 'No hay ningún pedido que crear')
    .max(MAX_FILAS, `Como máximo ${MAX_FILAS} pedidos a la vez`)
    .refine((filas) => linesIn(filas) <= MAX_FILAS, `Como máximo ${MAX_FILAS} líneas a la vez`),
  revendedor_id: id.nullish(),
  cobrar: z.boolean().default(false).describe("Unpaid, to collect by link, as a reseller's always are; otherwise `pendiente`"),
});

export const checkImport = operation(
  'What an import would come to, what the stock does not suffice for, and which rows look like orders there are',
  {
    body: importBody,
    200: z.object({
      data: z.object({
        total: z.number(),
        totales: z.array(z.number()).describe('Of each row, in euros'),
        faltan: z.array(z.string()).describe('A Spanish sentence for each product short of stock'),
        repetidas: z
          .array(
            z.object({
              fila: z.number(),
              numero_orden: z.string().nullable(),
              como_fila: z.number().nullable(),
              por_referencia: z.boolean().optional().describe('The order has the same `referencia_externa`'),
            }),
          )
          .describe('Rows (from 0) that repeat an existing order or an earlier row'),
      }),
    }),
  },
);

export const importPedidos = operation(
  'Create up to 2,000 orders, of as many lines in all, all or none; errors name their row, `filas.3.cliente_nombre`',
  {
    body: importBody,
    201: doneMessage.extend({
      creados: z.number(),
      avisos: z
        .array(doubtSchema.extend({ fila: z.number() }))
        .describe('What is doubtful about the orders made, which may still be right, with the row (from 0)'),
    }),
  },
);

export const listImports = operation('Imports of the last seven days that have not been undone, newest first', {
  query: z.strictObject(idsQuery),
  200: list(z.object({ id, created_at: isoInstant, quien: z.string().nullable(), pedidos: z.number() })),
});

export const deshacerImport = operation(
  'Undo an import: its orders are deleted and its payments annulled, all or none; refused once one of the orders has changed',
  { 200: doneMessage },
);
