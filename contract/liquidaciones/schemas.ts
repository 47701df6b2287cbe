import { z } from 'zod';
import { day, doneWith, euros, id, isoInstant, listQuery, operation, paged, pageQuery, text, version } from '../kit/schemas.ts';
import { isIban } from '../text/iban.ts';
import { ZONAS, type Zona } from '../zonas/zonas.ts';
import { CONCEPTOS, type Concepto, FUERA_DEL_FICHERO, type FueraDelFichero, GANAN, MAX_PAGADAS, NO_VALOR } from './fields.ts';

const concepto = z.enum(Object.keys(CONCEPTOS) as [Concepto, ...Concepto[]]);

const zona = z.enum(Object.keys(ZONAS) as [Zona, ...Zona[]], 'Zona no válida');

export const margen = z
  .strictObject({
    tipo: z.enum(['porcentaje', 'pack'], 'Elige cómo gana'),
    valor: euros(NO_VALOR).describe('Per cent of the products after discount, without shipping; or euros per pack. Two decimals'),
  })
  .refine(({ tipo, valor }) => tipo === 'pack' || valor <= 100, { error: 'Como máximo 100 %', path: ['valor'] })
  .refine(({ valor }) => valor <= 10_000, { error: 'Como máximo 10.000 €', path: ['valor'] });

const fee = euros('Importe no válido')
  .refine((valor) => valor <= 10_000, 'Como máximo 10.000 €')
  .nullable();

/** Euros per delivery and per failed attempt in a zone; null: the fee of the peninsula, or 0 for the peninsula itself. */
const tarifa = z.strictObject({ zona, entrega: fee, intento: fee });

/** `version` belongs to the person, so other edits of the person change it too. */
export const reglas = z.object({
  role: z.enum(GANAN),
  margen: margen.nullable(),
  tarifas: z.array(tarifa),
  iban: z.string().nullable(),
  titular: z.string().nullable().describe('Holder of the account; null: the person’s own name'),
  version: z.number(),
});

export const getGanancia = operation('What a reseller (margin) or a carrier (fees by zone) earns from now on', { 200: reglas });

export const setGananciaBody = z.strictObject({
  margen: margen.nullable().optional(),
  tarifas: z
    .array(tarifa)
    .max(Object.keys(ZONAS).length)
    .refine((all) => new Set(all.map((tarifa) => tarifa.zona)).size === all.length, 'Cada zona una sola vez')
    .optional(),
  iban: z
    .string()
    .transform((typed) => typed.replace(/\s/g, '').toUpperCase())
    .refine(isIban, 'El IBAN no es válido')
    .nullable()
    .optional()
    .describe('Account to which statements are paid; absent: unchanged'),
  titular: text(70, 'Indica el titular')
    .nullable()
    .optional()
    .describe('Holder of the account, as the bank has the name; absent: unchanged'),
  version,
});

export const setGanancia = operation(
  'Set the margin of a reseller, null for none, or the fees of a carrier; what is already earned stays',
  { body: setGananciaBody, 200: doneWith(reglas) },
);

const mes = z.string().regex(/^(19|2\d)\d\d-(0[1-9]|1[0-2])$/, 'Mes no válido');

export const ganancia = z.object({
  id,
  dia: day,
  concepto,
  numero_orden: z.string().nullable(),
  pedido_id: id.nullable(),
  ciudad: z.string().nullable(),
  zona: zona.nullable(),
  detalle: z.string().nullable().describe('How a margin was calculated; null for carriers'),
  nota: z.string().nullable(),
  importe: z.number().describe('In euros; negative for a reversal'),
});

export const liquidacion = z.object({
  id,
  numero: z.string(),
  user_id: id,
  persona_nombre: z.string(),
  role: z.enum(GANAN),
  mes,
  total: z.number(),
  num_lineas: z.number(),
  cerrada_por: z.string(),
  created_at: isoInstant,
  pagada_el: day.nullable(),
  pago_referencia: z.string().nullable(),
  version: z.number(),
});

export const abierta = z.object({
  user_id: id,
  persona_nombre: z.string(),
  role: z.enum(GANAN),
  num_lineas: z.number(),
  total: z.number(),
  desde: day,
});

/** An order that earned its carrier the fee of more than one failed attempt. */
const repetido = z.object({
  numero_orden: z.string(),
  pedido_id: id,
  persona_nombre: z.string(),
  intentos: z.number(),
  importe: z.number(),
});

export const porCerrar = z.object({
  mes,
  personas: z.number(),
  lineas: z.number(),
  total: z.number(),
  repetidos: z.array(repetido),
});

export const listLiquidaciones = operation('Statements, the latest first; a reseller and a carrier get their own', {
  query: z.strictObject({
    ...listQuery,
    user_id: id.optional(),
    mes: mes.optional(),
    estado: z.enum(['pendiente', 'pagada'], 'Filtro no válido').optional(),
  }),
  200: paged(liquidacion),
});

export const listPorCerrar = operation('Months that have ended and can be closed, with what each would be closed with', {
  200: z.object({ data: z.array(porCerrar) }),
});

export const getAbierta = operation(
  'What is in no statement yet: by person, and the lines of the given one or of the caller, the latest first',
  {
    query: z.strictObject({ ...pageQuery, user_id: id.optional() }),
    200: z.object({ personas: z.array(abierta), lineas: paged(ganancia) }),
  },
);

export const getLiquidacion = operation('A statement and a page of its lines, in order of day', {
  query: z.strictObject(pageQuery),
  200: z.object({ liquidacion, lineas: paged(ganancia) }),
});

export const liquidacionCsv = operation('A statement as a spreadsheet: semicolons, decimal comma, UTF-8 with BOM', { file: 'text/csv' });

export const liquidacionPdf = operation('A statement to be printed', { file: 'application/pdf' });

export const cerrarMes = operation(
  'Close a month that has ended: one statement for each person with lines; again, it closes what the first time did not',
  { body: z.strictObject({ mes }), 200: doneWith(z.object({ liquidaciones: z.number(), lineas: z.number(), total: z.number() })) },
);

export const pagarLiquidacion = operation('Note that a statement was paid; a stale version is refused with 409', {
  body: z.strictObject({ referencia: text(120, 'Indica la referencia del pago'), fecha: day, version }),
  200: doneWith(liquidacion),
});

export const pagarLiquidaciones = operation('Note that several statements were paid with one reference, all or none', {
  body: z.strictObject({
    liquidaciones: z
      .array(z.strictObject({ id, version }))
      .min(1, 'Elige al menos una')
      .max(MAX_PAGADAS, `Como máximo ${MAX_PAGADAS} a la vez`),
    referencia: text(120, 'Indica la referencia del pago'),
    fecha: day,
  }),
  200: doneWith(z.object({ liquidaciones: z.number(), total: z.number() })),
});

export const ficheroTransferencias = operation(
  'Unpaid statements as a file of SEPA transfers (pain.001.001.09) for the bank; it marks nothing as paid. A statement that cannot be transferred is named and left out',
  {
    query: z.strictObject({
      ids: z
        .string()
        .transform((ids) => ids.split(','))
        .pipe(z.array(id).max(MAX_PAGADAS, `Como máximo ${MAX_PAGADAS} a la vez`)),
      fecha: day,
    }),
    200: z.object({
      data: z.object({
        nombre: z.string(),
        contenido: z.string().nullable().describe('Null if none of the statements can be transferred'),
        incluidas: z.array(id),
        total: z.number().describe('Sum of the file in euros'),
        fuera: z.array(
          z.object({
            ...liquidacion.pick({ id: true, numero: true, user_id: true, persona_nombre: true, total: true }).shape,
            motivo: z.enum(Object.keys(FUERA_DEL_FICHERO) as [FueraDelFichero]),
          }),
        ),
        sin_titular: z.array(z.string()).describe('Persons, and the shop, in the file under their own names because no holder is written'),
      }),
    }),
  },
);

export const despagarLiquidacion = operation('Take back that a statement was paid, saying why', {
  body: z.strictObject({ motivo: text(300, 'Indica el motivo'), version }),
  200: doneWith(liquidacion),
});

export const crearAjuste = operation('Add to what a person earns, or take from it; goes into their next statement', {
  body: z.strictObject({
    user_id: z.uuid('Elige una persona'),
    /** In euros, not 0; a negative amount is a deduction. */
    importe: z
      .number('Indica el importe')
      .refine((n) => n !== 0, 'Indica el importe')
      .refine((n) => Math.abs(n) <= 1_000_000 && Math.abs(n * 100 - Math.round(n * 100)) < 1e-6, 'Importe no válido'),
    nota: text(300, 'Explica el ajuste: la persona lo leerá'),
  }),
  201: doneWith(ganancia),
});
