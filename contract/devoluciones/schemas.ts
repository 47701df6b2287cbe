import { z } from 'zod';
import { doneWith, euros, id, idsQuery, integer, isoInstant, listOf, operation, optionalText, text, version } from '../kit/schemas.ts';
import { MAX_LINEAS } from '../pedidos/fields.ts';
import { pedido } from '../pedidos/schemas.ts';
import { CAMINO, DESTINOS, MOTIVOS_DEVOLUCION, MOTIVOS_PARTE, PARCIAL } from './fields.ts';

export const devolucion = z.object({
  id,
  motivo: z.enum([...MOTIVOS_DEVOLUCION, PARCIAL]),
  nota: z.string().nullable(),
  reembolso: z.number().describe('0 if nothing was refunded'),
  por_reembolsar: z.number(),
  retenido: z.number().describe('Kept: counts as sold'),
  retenido_motivo: z.string().nullable(),
  de_mas: z.number().describe('Refunded beyond the value'),
  referencia: z.string().nullable(),
  actor_nombre: z.string(),
  created_at: isoInstant,
  anulada_at: isoInstant.nullable().describe('Annulled as a mistake'),
  anulada_motivo: z.string().nullable(),
  lineas: z.array(
    z.object({
      numero: z.number(),
      producto: z.string(),
      cantidad: z.number(),
      destino: z.enum([...DESTINOS, CAMINO]).describe('`camino`: on its way back with the carrier, and in no stock yet'),
      parte: z.enum(MOTIVOS_PARTE).optional(),
    }),
  ),
  resto_pedido_id: id.nullable().describe('Order of the rest'),
});

export const listDevoluciones = operation('What has been given back of an order, newest first, annulled returns included', {
  200: listOf(devolucion),
});

const linea = z.strictObject({
  numero: integer(1, MAX_LINEAS, 'Esa línea no está en el pedido'),
  cantidad: integer(1, 9999, 'Indica cuántos se devuelven'),
  destino: z.enum(DESTINOS, 'Elige si vuelve al stock o se da de baja'),
});

export const createDevolucion = operation(
  'Register what a customer gives back of a delivered order, and what was refunded; the refund itself is done at the bank',
  {
    body: z.strictObject({
      /** A line can appear twice, once per `destino`. */
      lineas: z
        .array(linea)
        .min(1, 'Indica qué se devuelve')
        .max(2 * MAX_LINEAS)
        .refine(
          (lines) => new Set(lines.map(({ numero, destino }) => `${numero} ${destino}`)).size === lines.length,
          'Cada línea, una vez por destino',
        ),
      motivo: z.enum(MOTIVOS_DEVOLUCION, 'Elige el motivo'),
      nota: optionalText(300),
      reembolso: euros('Indica el importe en euros').nullish(),
      referencia: optionalText(120),
      version,
    }),
    201: doneWith(devolucion),
  },
);

export const reembolsarDevolucion = operation('Note the refund of a return, or of what a delivery left out; several add up', {
  body: z.strictObject({ reembolso: euros('Indica el importe en euros'), referencia: optionalText(120) }),
  200: doneWith(devolucion),
});

export const retenerDevolucion = operation('Keep a part of what a return is worth, with a reason: it counts as sold', {
  body: z.strictObject({ importe: euros('Indica el importe en euros'), motivo: text(300, 'Indica por qué no se reembolsa') }),
  200: doneWith(devolucion),
});

export const moverDevolucion = operation('Pay another order with what a return is worth, as far as it reaches', {
  body: z.strictObject({ numero_orden: text(40, 'Indica el número del pedido') }),
  200: doneWith(devolucion),
});

export const pedirResto = operation('A second order for what a delivery left out, at the agreed price', { 201: doneWith(pedido) });

export const anularDevolucion = operation(
  'Annul a return registered by mistake: what went back to the stock leaves it, and nothing of it counts',
  { body: z.strictObject({ motivo: text(300, 'Indica el motivo') }), 200: doneWith(devolucion) },
);

/** Goods on their way back. `id`: of the return that a delivery left, or of the order itself if it was cancelled or deleted meanwhile. */
export const porRecibir = z.object({
  id,
  pedido_id: id,
  numero_orden: z.string(),
  transportista_nombre: z.string().nullable(),
  desde: isoInstant,
  lineas: z.array(z.object({ producto: z.string(), cantidad: z.number() })),
});

export const listPorRecibir = operation(
  'Goods on their way back: what deliveries left out, and what was out when its order was cancelled or deleted; oldest first',
  {
    query: z.strictObject(idsQuery),
    200: z.object({ data: z.array(porRecibir) }),
  },
);

const recibida = z.strictObject({ destino: z.enum(DESTINOS, 'Elige si vuelve al stock o se da de baja'), motivo: optionalText(300) });

export const recibirDevolucion = operation(
  'Receive undelivered goods that a carrier brought back: into the stock, or written off with a reason',
  { body: recibida, 200: doneWith(devolucion) },
);

export const recibirMercancia = operation('Receive the goods of an order that are on their way back, or write them off with a reason', {
  body: recibida,
  200: doneWith(pedido),
});
