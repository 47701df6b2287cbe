import { z } from 'zod';
import { day, doneMessage, doneWith, euros, id, idsQuery, isoInstant, operation, optionalText, text } from '../kit/schemas.ts';
import { METODOS_COBRO } from '../payments/fields.ts';
import { CLASES_FILA, ESTADOS_CAJA, FORMAS_FILA, MAX_FILAS, MAX_OFICINA } from './fields.ts';

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

/** What one company has. */
export const deEmpresa = z.object({
  empresa: z.string(),
  cobros: z.number(),
  importe: z.number().describe('In euros'),
  desde: day.describe('Day of the oldest payment'),
  plazo: z.number().describe('Days after the delivery in which the company pays; 0: none agreed'),
  tarde: z.number().describe('Days by which the oldest payment is late; 0: none is'),
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
  aparte: z
    .array(z.object({ referencia: z.string(), importe: z.number(), motivo: z.string() }))
    .describe('Rows of its sheet that are of no order, and are part of what was received'),
});

export const listDeEmpresas = operation(
  'What delivery companies collected at the door and have not paid: by company, payment by payment (oldest first), and the latest remittances',
  {
    query: z.strictObject(idsQuery),
    200: z.object({
      data: z.array(cobroDeEmpresa),
      empresas: z.array(deEmpresa),
      sin_deuda: z.array(z.string()).describe('Companies that have nothing, and took orders on delivery or paid within a year'),
      remesas: z.array(remesaDeEmpresa),
    }),
  },
);

export const ponerPlazo = operation('Days after the delivery in which a company pays what it collected; 0: none agreed', {
  body: z.strictObject({
    empresa: text(80, 'Indica la empresa'),
    dias: z.int('Indica los días').min(0, 'Días no válidos').max(365, 'Como máximo 365 días'),
  }),
  200: doneMessage,
});

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

const signed = z
  .number('Importe no válido')
  .min(-1_000_000, 'Importe no válido')
  .max(1_000_000, 'Importe no válido')
  .refine((amount) => Math.round(amount * 100) !== 0, 'Importe no válido');

export const filaRemesa = z.strictObject({
  referencia: text(80, 'Falta la referencia').describe('Our number of the order, or the tracking number'),
  seguimiento: optionalText(80).describe('Tracking number, where the sheet has both'),
  importe: signed.describe('In euros, before the commission; negative: the company takes it back'),
  comision: euros().default(0).describe('Kept by the company for this row'),
  forma: z.enum(FORMAS_FILA, 'Elige qué se hace con la fila').nullish().describe('For a row that does not agree: one of its `formas`'),
});
const filas = z.array(filaRemesa).min(1, 'El fichero no tiene filas').max(MAX_FILAS, `Como máximo ${MAX_FILAS} filas a la vez`);
const empresa = text(80, 'Indica la empresa');

export const filaRemesaLeida = z.object({
  fila: z.number().describe('Place in the request, from 0'),
  referencia: z.string(),
  importe: z.number(),
  clase: z.enum(CLASES_FILA),
  message: z.string(),
  pedido_id: id.nullable(),
  formas: z.array(z.enum(FORMAS_FILA)).describe('What may be said of it, the usual first; empty for a row that agrees'),
});

export const comprobarRemesa = operation("Compare the rows of a company's remittance with what it collected; changes nothing", {
  body: z.strictObject({ empresa, filas }),
  200: z.object({ data: z.array(filaRemesaLeida) }),
});

export const leerRemesa = operation(
  "Note a remittance by the rows of the company's sheet: what agrees, and what is said of each other row; all or nothing",
  {
    body: z.strictObject({
      empresa,
      filas,
      comision: euros().default(0).describe('Kept for the remittance as a whole, beside that of the rows'),
      fecha: day,
      referencia: optionalText(120),
    }),
    200: doneMessage,
  },
);

export const deshacerRemesa = operation('Undo a remittance as a whole: the company has the money again', { 200: doneMessage });
