import { z } from 'zod';
import type { Schemas } from '../kit/endpoint.ts';
import { day, doneWith, euros, id, instant, optionalText } from '../kit/schemas.ts';
import { ESTADOS_CAJA } from './fields.ts';

const MAX_MOTIVO = 300;

/** Cash of a carrier and a business day. Amounts in euros. */
export const caja = z.object({
  caja_id: id.nullable().describe('Null while the cash is in the carrier’s hands'),
  transportista_id: id,
  transportista_nombre: z.string(),
  dia: day,
  estado: z.enum(ESTADOS_CAJA),
  cobros: z.number().describe('Payments collected in cash'),
  esperado: z.number().describe('Sum of the payments collected in cash'),
  contado: z.number().nullable().describe('Counted by the carrier'),
  motivo: z.string().nullable(),
  entregada_at: instant.nullable(),
  recibido: z.number().nullable().describe('Counted by the office'),
  confirmada_motivo: z.string().nullable(),
  confirmada_at: instant.nullable(),
  confirmada_por: z.string().nullable(),
});

export const listCajas = {
  summary: 'Cash that carriers hold and have handed over, by day; a carrier sees the own days',
  query: z.strictObject({ transportista_id: id.optional() }),
  response: { 200: z.object({ data: z.array(caja) }) },
} satisfies Schemas;

export const entregarCaja = {
  summary: 'The carrier hands over the cash of a day; a counted amount that differs asks for a reason',
  body: z.strictObject({ dia: day, contado: euros('Indica cuánto has contado'), motivo: optionalText(MAX_MOTIVO) }),
  response: { 200: doneWith(caja) },
} satisfies Schemas;

export const recibirCaja = {
  summary: 'The office receives the open cash of a carrier and day that the carrier did not hand over in the program',
  body: z.strictObject({ transportista_id: id, dia: day, recibido: euros('Indica cuánto has recibido'), motivo: optionalText(MAX_MOTIVO) }),
  response: { 200: doneWith(caja) },
} satisfies Schemas;

export const confirmarCaja = {
  summary: 'The office confirms what a carrier handed over; afterwards nothing of that day changes',
  body: z.strictObject({ recibido: euros('Indica cuánto has recibido'), motivo: optionalText(MAX_MOTIVO) }),
  response: { 200: doneWith(caja) },
} satisfies Schemas;
