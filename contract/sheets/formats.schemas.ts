import { z } from 'zod';
import { doneMessage, operation } from '../kit/schemas.ts';
import { MEANINGS, type WordKind } from './words.ts';

const MOST = 500;
const short = (max: number) => z.string().max(max, `Como máximo ${max} caracteres`);
const few = (all: object) => Object.keys(all).length <= MOST;
const FEW = `Como máximo ${MOST} respuestas`;
const meaningOf = (kind: WordKind) => short(40).refine((meaning) => Object.hasOwn(MEANINGS[kind], meaning), 'Significado no válido');
const meaningsOf = (kind: WordKind) => z.record(short(200), meaningOf(kind)).refine(few, FEW).optional();

const formato = {
  uso: z
    .enum(['pedidos', 'respuesta', 'remesa', 'banco'], 'Uso no válido')
    .describe('A sheet of orders, the answer or the remittance of a company, or a bank statement'),
  origen: short(40).describe('Template of the company; empty for sheets of orders'),
  titulos: short(8000).describe('The headings, as they are compared'),
  respuestas: z.strictObject({
    columns: z.record(short(200), short(40)).refine(few, FEW).describe('Field by heading; empty: the column is not used'),
    words: z
      .strictObject({
        situacion: meaningsOf('situacion'),
        anulado: meaningsOf('anulado'),
        moneda: meaningsOf('moneda'),
        contra_reembolso: meaningsOf('contra_reembolso'),
        pago: meaningsOf('pago'),
        estado: meaningsOf('estado'),
      })
      .describe('Meaning by kind and word'),
    packs: z.record(short(200), z.uuid('Pack no válido')).refine(few, FEW).describe('Pack by its text'),
    monthFirst: z.boolean().optional(),
    joined: z.boolean().optional().describe('Rows of one customer are one order'),
    notOrders: z.boolean().optional().describe('Rows without address and product stay out'),
    unsaid: meaningOf('estado').optional().describe('State of every row, where no column says one'),
  }),
};

export const listFormats = operation(
  'What has been answered about files of other programs, by their headings, the latest first; the office shares its answers',
  { 200: z.object({ data: z.array(z.object(formato)) }) },
);

export const keepFormat = operation('Keep what has been answered about files with these headings', {
  body: z.strictObject(formato),
  200: doneMessage,
});
