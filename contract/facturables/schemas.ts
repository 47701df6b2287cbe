import { z } from 'zod';
import { cursorQuery } from '../cambios/cursor.schemas.ts';
import { FORMATOS } from '../exports/fields.ts';
import { FILAS_IVA } from '../iva/fields.ts';
import type { Schemas } from '../kit/endpoint.ts';
import { day, done, doneWith, id, instant } from '../kit/schemas.ts';
import { MOTIVOS_FACTURABLE } from './fields.ts';
import { PLANTILLA_NAMES } from './plantillas.ts';

export const facturable = z.object({
  numero: z.number().describe('Place of the row, from 1; it never changes'),
  pedido_id: id,
  numero_orden: z.string(),
  fecha: day.describe('Of a sale the day of the delivery, of anything else the day of the change'),
  motivo: z.enum(MOTIVOS_FACTURABLE),
  tipo: z.enum(FILAS_IVA),
  cliente: z.string(),
  nif: z.string().nullable(),
  metodo_pago: z.string().nullable().describe('How the order was paid when the row was written, in Spanish; null if not yet'),
  base: z.number().describe('Euros; negative if something is given back'),
  cuota: z.number(),
  total: z.number(),
  tomada_at: instant.nullable(),
  tomada_por: z.string().nullable(),
});

const periodo = { desde: day.optional().describe('First day'), hasta: day.optional().describe('Last day') };
const pendientes = z.literal('si', 'Valor no válido').optional().describe('Only rows that nobody has taken');

export const listFacturables = {
  summary:
    'What ought to be invoiced, oldest first, each row once: one row an order and rate; returns and corrections are rows of their own',
  query: z.strictObject({ cursor: cursorQuery.desde, limite: cursorQuery.limite, ...periodo, pendientes }),
  response: {
    200: z.object({
      data: z.array(facturable),
      cursor: z.string().describe('Start of the next request, and end of what is marked as taken; unchanged without rows'),
      hay_mas: z.boolean(),
    }),
  },
} satisfies Schemas;

export const resumenFacturables = {
  summary: 'Sums by rate of what ought to be invoiced in a period, in euros',
  query: z.strictObject({ ...periodo, pendientes }),
  response: {
    200: z.object({
      data: z.array(z.object({ tipo: z.enum(FILAS_IVA), filas: z.number(), base: z.number(), cuota: z.number(), total: z.number() })),
      cursor: z.string().describe('Of the last row, to mark all of them as taken'),
      por_tomar: z.number().describe('Rows of the period that nobody has taken'),
      sin_tipo: z.number().describe('Orders of which a line has no rate'),
    }),
  },
} satisfies Schemas;

export const ficheroFacturables = {
  summary: 'The same rows as a file, in Enruta’s columns or in those that a program imports',
  query: z.strictObject({
    ...periodo,
    pendientes,
    formato: z.enum(FORMATOS, 'Elige un formato').default('csv'),
    plantilla: z.enum(PLANTILLA_NAMES, 'Plantilla no válida').default('enruta'),
  }),
  response: { file: 'application/octet-stream' },
} satisfies Schemas;

export const tomarFacturables = {
  summary: 'Mark rows as taken, up to a cursor; rows that somebody has taken before stay as they are',
  body: z.strictObject({ hasta: z.string().regex(/^[\w-]{1,120}$/, 'Cursor no válido'), periodo: z.strictObject(periodo).optional() }),
  response: { 200: done.extend({ marcadas: z.number() }) },
} satisfies Schemas;

export const ponerTipos = {
  summary: 'Give lines without a rate the rate that their product has now; lines with one keep it',
  body: z.strictObject({ pedido_id: id.optional().describe('Only of this order') }),
  response: {
    200: doneWith(
      z.object({
        lineas: z.number().describe('Lines that have a rate now'),
        sin_tipo: z.array(z.string()).describe('Products that have none'),
      }),
    ),
  },
} satisfies Schemas;
