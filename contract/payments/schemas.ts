import { z } from 'zod';
import { cursorQuery } from '../cambios/cursor.schemas.ts';
import { day, doneMessage, doneWith, euros, id, isoInstant, listQuery, operation, optionalText, paged, text } from '../kit/schemas.ts';
import { pedido } from '../pedidos/schemas.ts';
import { ESTADOS_PAGO, METODOS_PAGO, PASOS_INICIO, POR_REVISAR, RESOLUCIONES } from './fields.ts';

const proveedor = text(40);

export const notifyPago = operation('A notification of a payment provider, in its own form and signed by it', {
  params: z.strictObject({ proveedor }),
  200: z.object({ received: z.literal(true) }),
});

export const pago = z.object({
  id,
  proveedor: z.string(),
  proveedor_nombre: z.string(),
  referencia: z.string(),
  estado: z.enum(ESTADOS_PAGO),
  importe: z.number(),
  devuelto: z.number().describe('Already given back of it, because the order costs less than was paid; the payment counts for the rest'),
  fecha: day,
  created_at: isoInstant,
  updated_at: isoInstant,
  nota: z.string().nullable().describe('Text of the superadmin: how it was refunded, or why it was annulled'),
});

export const listPagos = operation('The payments of an order, newest first', {
  200: z.object({
    data: z.array(pago),
    venta_conjunta: z
      .boolean()
      .optional()
      .describe('True if other orders of the customer and day, or new ones of today, count with this one for the legal limit of cash'),
  }),
});

export const pagoDePedido = pago.extend({
  pedido_id: id,
  numero_orden: z.string(),
  referencia_externa: z.string().nullable(),
});

export const listTodosPagos = operation(
  'Payments and refunds of all orders changed since a cursor, each once and as it is now, in the order of their last change',
  { query: z.strictObject(cursorQuery), 200: z.object({ data: z.array(pagoDePedido), cursor: z.string(), hay_mas: z.boolean() }) },
);

export const devolverPago = operation('Note that a payment has been given back; the giving back itself is done at the bank', {
  body: z.strictObject({ nota: optionalText(200) }),
  200: doneMessage,
});

export const anotarPago = operation(
  'Note a payment, or part of one; an order that waits for its payment becomes pendiente once all is paid',
  {
    body: z.strictObject({
      metodo: z.enum(METODOS_PAGO, 'Elige cómo se ha pagado'),
      importe: euros('Indica el importe en euros'),
      fecha: day,
      referencia: optionalText(120),
    }),
    201: doneWith(pedido),
  },
);

export const reembolsarSobra = operation(
  'Note a refund of what was paid beyond the total of an order; the refund itself is done at the bank or in cash',
  { body: z.strictObject({ importe: euros('Indica el importe en euros'), referencia: optionalText(120) }), 200: doneWith(pedido) },
);

export const anularPago = operation('Annul a payment noted by hand by mistake; it stays in the list, and no longer counts', {
  body: z.strictObject({ motivo: text(200, 'Indica el motivo') }),
  200: doneMessage,
});

export const pagoPorRevisar = z.object({
  id,
  proveedor_nombre: z.string(),
  referencia: z.string(),
  causa: z.enum(POR_REVISAR),
  importe: z.number().nullable().describe('In units of `moneda`; null if the provider named no amount'),
  anotado: z.number().describe('Of money that went back: euros that the payment no longer counts'),
  moneda: z.string(),
  received_at: isoInstant,
  pedido: z.object({ id, numero_orden: z.string(), cliente_nombre: z.string(), pendiente: z.number() }).nullable(),
  resolucion: z.enum(RESOLUCIONES).nullable().describe('`devolver` until the money has been refunded'),
  motivo: z.string().nullable(),
});

export const listPagosPorRevisar = operation(
  'Genuine payments that changed no order, and money that went back by itself, waiting for somebody to act; oldest first',
  { query: z.strictObject(listQuery), 200: paged(pagoPorRevisar) },
);

export const resolverPago = operation(
  'Decide about such a payment; `pagado` needs an order where none is known, and euros where it was in another currency; money that went back takes only `visto`',
  {
    body: z.strictObject({
      resolucion: z.enum(RESOLUCIONES, 'Elige qué se hace con el pago'),
      motivo: text(300, 'Indica el motivo'),
      numero_orden: optionalText(40),
      importe: euros().nullish(),
    }),
    200: doneMessage,
  },
);

export const getInicio = operation('What a new shop still lacks; empty once everything has been set up', {
  200: z.object({ data: z.object({ faltan: z.array(z.enum(PASOS_INICIO)) }) }),
});
