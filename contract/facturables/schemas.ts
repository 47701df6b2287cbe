import { z } from 'zod';
import { cursorQuery } from '../cambios/cursor.schemas.ts';
import { FORMATOS } from '../exports/fields.ts';
import { FILAS_IVA } from '../iva/fields.ts';
import { tipoIva } from '../iva/schemas.ts';
import { day, doneMessage, doneWith, id, isoInstant, operation } from '../kit/schemas.ts';
import { MOTIVOS_FACTURABLE } from './fields.ts';
import { PLANTILLA_NAMES } from './plantillas.ts';

export const facturable = z.object({
  numero: z.number().describe('Place of the row, from 1; it never changes'),
  pedido_id: id,
  numero_orden: z.string(),
  fecha: day.describe('Of a sale the day of the delivery, of anything else the day of the change'),
  motivo: z.enum(MOTIVOS_FACTURABLE),
  tipo: z.enum(FILAS_IVA),
  anterior: z.boolean().describe('Declared under the rule of VAT before 0.3.0, which it keeps'),
  cliente: z.string(),
  nif: z.string().nullable(),
  documento: z.string().describe('Invoice that the row belongs to, `V26-000001` or a correction, `R26-000001`; at most 12 characters'),
  corrige: z.string().nullable().describe('Sale that a correction corrects'),
  exportada_at: isoInstant
    .nullable()
    .describe('When the invoice first left in a file, or was taken by a program; it never changes afterwards'),
  metodo_pago: z.string().nullable().describe('How the order was paid when the row was written, in Spanish; null if not yet'),
  base: z.number().describe('Euros; negative if something is given back'),
  cuota: z.number(),
  total: z.number(),
  tomada_at: isoInstant.nullable(),
  tomada_por: z.string().nullable(),
});

const periodo = { desde: day.optional().describe('First day'), hasta: day.optional().describe('Last day') };
const pendientes = z.literal('si', 'Valor no válido').optional().describe('Only rows that nobody has taken');

export const listFacturables = operation(
  'What ought to be invoiced, oldest first, each row once: one row an order and rate; returns and corrections are rows of their own',
  {
    query: z.strictObject({ cursor: cursorQuery.desde, limite: cursorQuery.limite, ...periodo, pendientes }),
    200: z.object({
      data: z.array(facturable),
      cursor: z.string().describe('Start of the next request, and end of what is marked as taken; unchanged without rows'),
      hay_mas: z.boolean(),
    }),
  },
);

export const resumenFacturables = operation('Sums by rate of what ought to be invoiced in a period, in euros', {
  query: z.strictObject({ ...periodo, pendientes }),
  200: z.object({
    data: z.array(z.object({ tipo: z.enum(FILAS_IVA), filas: z.number(), base: z.number(), cuota: z.number(), total: z.number() })),
    cursor: z.string().describe('Of the last row, to mark all of them as taken'),
    por_tomar: z.number().describe('Rows of the period that nobody has taken'),
    sin_tipo: z.number().describe('Orders of which a line has no rate'),
    encendido: z.boolean().describe('False while the shop does not use VAT: nothing new is prepared'),
    sin_tipo_por_tomar: z.number().describe('Orders among the rows yet to be taken of which a line has no rate: nothing is marked before'),
  }),
});

export const ficheroFacturables = operation(
  'What ought to be invoiced as a file, in Enruta’s columns (one row an invoice) or in those that a program imports',
  {
    query: z.strictObject({
      ...periodo,
      pendientes,
      formato: z.enum(FORMATOS, 'Elige un formato').default('csv'),
      plantilla: z.enum(PLANTILLA_NAMES, 'Plantilla no válida').default('enruta'),
    }),
    file: 'application/octet-stream',
  },
);

export const tomarFacturables = operation(
  'Mark rows as taken, up to a cursor; rows that somebody has taken before stay as they are. 409 while a line has no rate',
  {
    body: z.strictObject({ hasta: z.string().regex(/^[\w-]{1,120}$/, 'Cursor no válido'), periodo: z.strictObject(periodo).optional() }),
    200: doneMessage.extend({
      marcadas: z.number(),
      tomada_at: isoInstant.nullable().describe('The mark, with which it can be taken back'),
    }),
  },
);

export const soltarFacturables = operation('Take a mark back; invoices that were exported keep it', {
  body: z.strictObject({ tomada_at: isoInstant.describe('Of one of the rows; all rows that were marked with it are released') }),
  200: doneMessage.extend({ soltadas: z.number() }),
});

export const listSinTipo = operation('Products and free lines without a rate, in orders that are or will be invoiced', {
  200: z.object({
    data: z.array(
      z.object({
        product_id: id.nullable().describe('Null for a free line'),
        producto: z.string(),
        pedidos: z.number().describe('Orders with such a line'),
      }),
    ),
  }),
});

export const ponerIntracomunitaria = operation(
  'Say that an order to another member state is an intra-Community supply, exempt (Ley 37/1992, art. 25), or take it back',
  { body: z.strictObject({ pedido_id: id, es: z.boolean() }), 200: doneMessage },
);

export const ponerTipos = operation('Give lines without a rate the rate that their product has now; lines with one keep it', {
  body: z.strictObject({
    pedido_id: id.optional().describe('Only of this order'),
    tipos: z
      .array(z.strictObject({ product_id: id.nullish(), producto: z.string().max(200).nullish(), iva: tipoIva }))
      .max(500)
      .optional()
      .describe('Rates to give before: to products, or to free lines by their text'),
  }),
  200: doneWith(
    z.object({
      lineas: z.number().describe('Lines that have a rate now'),
      sin_tipo: z.array(z.string()).describe('Products that have none'),
    }),
  ),
});
