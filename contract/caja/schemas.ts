import { z } from 'zod';
import { day, doneMessage, doneWith, euros, id, idsQuery, isoInstant, operation, optionalText, text } from '../kit/schemas.ts';
import { METODOS_COBRO } from '../payments/fields.ts';
import { ESTADOS_CAJA, MAX_OFICINA } from './fields.ts';

const MAX_MOTIVO = 300;

/** Cash of a carrier on a business day. Amounts in euros. */
export const caja = z.object({
  caja_id: id.nullable().describe('Null while the cash is in the carrier’s hands'),
  transportista_id: id,
  transportista_nombre: z.string(),
  dia: day,
  ronda: z.number().describe('Hand-overs of that day so far: what is collected after one belongs to the next'),
  estado: z.enum(ESTADOS_CAJA),
  cobros: z.number().describe('Payments collected in cash'),
  esperado: z.number().describe('Sum of the payments collected in cash'),
  contado: z.number().nullable().describe('Counted by the carrier'),
  motivo: z.string().nullable(),
  entregada_at: isoInstant.nullable(),
  recibido: z.number().nullable().describe('Counted by the office'),
  confirmada_motivo: z.string().nullable(),
  confirmada_at: isoInstant.nullable(),
  confirmada_por: z.string().nullable(),
});

export const listCajas = operation('Cash that carriers hold and have handed over, by day; a carrier sees the own days', {
  query: z.strictObject({ transportista_id: id.optional() }),
  200: z.object({ data: z.array(caja) }),
});

export const entregarCaja = operation('The carrier hands over the cash of a day; a counted amount that differs asks for a reason', {
  body: z.strictObject({ dia: day, contado: euros('Indica cuánto has contado'), motivo: optionalText(MAX_MOTIVO) }),
  200: doneWith(caja),
});

export const recibirCaja = operation(
  'The office receives the open cash of a carrier and day that the carrier did not hand over in the program',
  {
    body: z.strictObject({
      transportista_id: id,
      dia: day,
      recibido: euros('Indica cuánto has recibido'),
      motivo: optionalText(MAX_MOTIVO),
    }),
    200: doneWith(caja),
  },
);

export const confirmarCaja = operation('The office confirms what a carrier handed over; afterwards nothing of that day changes', {
  body: z.strictObject({ recibido: euros('Indica cuánto has recibido'), motivo: optionalText(MAX_MOTIVO) }),
  200: doneWith(caja),
});

/** Payment at the door by card or Bizum, as recorded by the carrier. */
export const cobro = z.object({
  id,
  pedido_id: id,
  numero_orden: z.string(),
  transportista_id: id,
  transportista_nombre: z.string(),
  metodo: z.enum(METODOS_COBRO),
  importe: z.number(),
  dia: day,
});

export const listCobros = operation(
  'What carriers say was paid at the door by card or Bizum and nobody has found at terminal or bank, oldest first',
  { query: z.strictObject(idsQuery), 200: z.object({ data: z.array(cobro) }) },
);

export const comprobarCobros = operation('Payments found at terminal or bank; afterwards they are not annulled', {
  body: z.strictObject({ cobros: z.array(id).min(1, 'Elige qué has comprobado').max(MAX_OFICINA) }),
  200: doneMessage,
});

export const cobroSinLlegar = operation(
  'A payment that is at no terminal and no bank: it no longer counts, the order is to be paid again, and its carrier is told',
  { body: z.strictObject({ motivo: text(MAX_MOTIVO, 'Indica el motivo') }), 200: doneMessage },
);

/** Money collected in a delivery that the server refused to register; `id` is the id of the history entry. */
export const sinRegistrar = z.object({
  id,
  pedido_id: id,
  numero_orden: z.string(),
  transportista_nombre: z.string(),
  metodo: z.enum(METODOS_COBRO),
  importe: z.number(),
  ocurrido_at: isoInstant,
  nota: z.string().nullable(),
});

export const listSinRegistrar = operation('Money of refused deliveries that is in no Caja yet, oldest first', {
  query: z.strictObject(idsQuery),
  200: z.object({ data: z.array(sinRegistrar) }),
});

export const registrarLoQuePaso = operation(
  'Register the money of a refused delivery: in its carrier’s Caja, and owed back where the order does not take it',
  { 200: doneMessage },
);

/** Money that a delivery company collected at the door and has not paid to the shop yet. */
export const cobroDeEmpresa = z.object({
  id,
  empresa: z.string(),
  pedido_id: id,
  numero_orden: z.string(),
  importe: z.number().describe('In euros'),
  dia: day,
  dias: z.number().describe('Days since then'),
});

/** Payment of a company for what it collected. Amounts in euros. */
export const remesaDeEmpresa = z.object({
  id,
  numero: z.number(),
  empresa: z.string(),
  fecha: day,
  cobros: z.number().describe('Payments that it brings'),
  recibido: z.number(),
  comision: z.number().describe('Kept by the company'),
  referencia: z.string().nullable(),
  creada_por: z.string(),
});

export const listDeEmpresas = operation(
  'What delivery companies collected at the door and have not paid, oldest first, and the latest remittances',
  { query: z.strictObject(idsQuery), 200: z.object({ data: z.array(cobroDeEmpresa), remesas: z.array(remesaDeEmpresa) }) },
);

export const recibirDeEmpresa = operation('A company has paid what it collected: received and commission are the sum of the payments', {
  body: z.strictObject({
    empresa: text(80, 'Indica la empresa'),
    cobros: z.array(id).min(1, 'Elige qué cobros ha pagado').max(MAX_OFICINA),
    recibido: euros('Indica cuánto has recibido'),
    comision: euros('Indica la comisión').default(0),
    fecha: day,
    referencia: optionalText(120),
  }),
  200: doneMessage,
});

export const deshacerRemesa = operation('Undo a remittance as a whole: the company has the money again', { 200: doneMessage });
