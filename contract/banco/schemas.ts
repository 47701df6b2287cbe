import { z } from 'zod';
import { day, doneMessage, euros, id, idsQuery, isoInstant, listOf, listQuery, operation, paged, text } from '../kit/schemas.ts';
import { CIERRES, DESTINOS, FORMATOS_EXTRACTO, MAX_MOVIMIENTOS, MAX_TEXTO } from './fields.ts';

const importe = z
  .number('Importe no válido')
  .min(-10_000_000, 'Importe no válido')
  .max(10_000_000, 'Importe no válido')
  .refine((amount) => Math.round(amount * 100) !== 0, 'Importe no válido');

export const movimientoLeido = z.strictObject({
  cuenta: z.string().max(40, 'Cuenta no válida').describe('18 digits: bank, office, number; or as the file has it'),
  fecha: day,
  importe: importe.describe('In euros; negative: a credit that the bank has taken back'),
  texto: z.string().max(MAX_TEXTO, `Como máximo ${MAX_TEXTO} caracteres`).describe('Concept, payer and references, as the bank has them'),
});

export const leerExtracto = operation(
  'Read the credits of a bank statement, or a part of them: those of a known order or remittance are booked, the others wait; a movement that is known already, from any format, counts once',
  {
    body: z.strictObject({
      extracto: id.describe('Chosen by the caller; the parts of one file share it'),
      fichero: text(200, 'Falta el nombre del fichero'),
      formato: z.enum(FORMATOS_EXTRACTO, 'Formato no válido'),
      movimientos: z
        .array(movimientoLeido)
        .max(MAX_MOVIMIENTOS, `Como máximo ${MAX_MOVIMIENTOS} movimientos a la vez`)
        .describe('All those of each of its days'),
    }),
    200: z.object({
      data: z.object({
        nuevos: z.number(),
        conocidos: z.number().describe('Read before'),
        apuntados: z.number().describe('Booked, or recognised as noted before'),
      }),
    }),
  },
);

export const bankStatement = z.object({
  id,
  fichero: z.string(),
  leido_por: z.string(),
  created_at: isoInstant,
  movimientos: z.number(),
  esperan: z.number(),
});
export const listExtractos = operation('The latest bank statements that were read and not undone', {
  query: z.strictObject(idsQuery),
  200: listOf(bankStatement),
});

export const deshacerExtracto = operation('Undo a statement: what it booked is annulled, what it recognised stands as before', {
  200: doneMessage,
});

const destino = z.enum(DESTINOS, 'Destino no válido');
const creditPart = z.object({
  clave: z.string().describe('Number of the order; else the id of the payment, remittance or hand-over'),
  importe: z.number(),
  texto: z.string().describe('Spanish words'),
});
export const bankCredit = z.object({
  id,
  fecha: day,
  importe: z.number(),
  resto: z.number().describe('Not booked yet'),
  texto: z.string(),
  cuenta: z.string(),
  resolucion: z.enum(CIERRES).nullable(),
  motivo: z.string().nullable(),
  propuesta: z.object({ destino, partes: z.array(creditPart), comision: z.number() }).nullable(),
});
export const listAbonos = operation(
  'Credits of the bank that wait for somebody to say what they pay, oldest first; or those that are booked',
  {
    query: z.strictObject({
      ...listQuery,
      hechos: z.literal('si', 'Valor no válido').optional().describe('Those booked or settled, latest first'),
    }),
    200: paged(bankCredit),
  },
);

export const apuntarMovimiento = operation('Book a movement, or a part of it', {
  body: z.strictObject({
    destino,
    partes: z
      .array(z.strictObject({ clave: text(64, 'Indica de qué pedido es'), importe: euros('Indica cuántos euros son') }))
      .min(1, 'Indica de qué pedido es')
      .max(200, 'Como máximo 200 partes'),
    comision: euros().default(0).describe('Kept by the provider of a card payout'),
  }),
  200: doneMessage,
});

export const cerrarMovimiento = operation('Say that a movement pays no order: it is to be refunded, is refunded, or needs nothing', {
  body: z.strictObject({ resolucion: z.enum(CIERRES, 'Elige qué se hace con el pago'), motivo: text(300, 'Indica el motivo') }),
  200: doneMessage,
});

export const soltarMovimiento = operation('Take back what was booked or decided of a movement: it waits again', { 200: doneMessage });
