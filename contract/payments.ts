import { z } from 'zod';
import { day, done, doneWith, endpoint, euros, id, instant, optionalText, paged, pageQuery, text } from './kit.ts';
import { pedido } from './pedidos.ts';

/** Payment provider: an id from server/payments/providers.ts. */
const proveedor = text(40);

/** Read raw because the signature covers the bytes (server/payments/payments.routes.ts). */
export const notifyPago = endpoint('POST', '/api/webhooks/:proveedor', {
  action: 'signed',
  summary: 'A notification of a payment provider, in its own form and signed by it',
  params: z.strictObject({ proveedor }),
  response: { 200: z.object({ received: z.literal(true) }) },
});

/* ---- the payments of an order, for superadmins ---- */

/**
 * `iniciado`: redirected to the bank, no outcome yet. `rechazado`: declined by the bank, or never made. `anulado`:
 * noted by mistake. `tardio`: arrived after the
 * order was cancelled or deleted. `duplicado`: the order was already paid. `devolucion_pendiente`: paid, then
 * cancelled. The last three must be refunded, which makes them `devuelto`.
 */
export const ESTADOS_PAGO = [
  'iniciado',
  'pagado',
  'rechazado',
  'anulado',
  'tardio',
  'duplicado',
  'devolucion_pendiente',
  'devuelto',
] as const;
export type EstadoPago = (typeof ESTADOS_PAGO)[number];
/** Payments that must be refunded. */
export const POR_DEVOLVER: readonly EstadoPago[] = ['tardio', 'duplicado', 'devolucion_pendiente'];

/** One payment of an order. `importe` in euros. */
export const pago = z.object({
  id,
  proveedor: z.string(),
  proveedor_nombre: z.string(),
  referencia: z.string(),
  estado: z.enum(ESTADOS_PAGO),
  importe: z.number(),
  /** The day on which the money came. */
  fecha: day,
  created_at: instant,
  updated_at: instant,
  /** How it was refunded, or why it was annulled, as noted by the superadmin. */
  nota: z.string().nullable(),
});
export type Pago = z.infer<typeof pago>;

export const listPagos = endpoint('GET', '/api/pedidos/:id/pagos', {
  action: 'pago:manage',
  summary: 'The payments of an order, newest first',
  response: { 200: z.object({ data: z.array(pago) }) },
});

export const devolverPago = endpoint('POST', '/api/pagos/:id/devuelto', {
  action: 'pago:manage',
  summary: 'Note that a payment has been given back; the giving back itself is done at the bank',
  body: z.strictObject({ nota: optionalText(200) }),
  response: { 200: done },
});

/* ---- payments noted by hand ---- */

/** How a payment noted by hand was made. */
export const METODOS_PAGO = ['transferencia', 'efectivo', 'tarjeta', 'bizum', 'otro'] as const;
export const METODO_PAGO_LABEL: Record<(typeof METODOS_PAGO)[number], string> = {
  transferencia: 'Transferencia',
  efectivo: 'Efectivo',
  tarjeta: 'Tarjeta (datáfono)',
  bizum: 'Bizum',
  otro: 'Otro',
};
export const METODO_PAGO_OPTIONS = METODOS_PAGO.map((value) => ({ value, label: METODO_PAGO_LABEL[value] }));
/** Whether a payment was noted by hand, and so can be annulled; `manual` is what «Marcar como pagado» notes. */
export const isByHand = (proveedor: string): boolean => ['manual', ...METODOS_PAGO].includes(proveedor);
/** Cash of this amount (euros) or more may not be taken: Ley 7/2012, artículo 7. */
export const MAX_EFECTIVO = 1000;

export const anotarPago = endpoint('POST', '/api/pedidos/:id/pagos', {
  action: 'pago:manage',
  summary: 'Note a payment, or part of one; an order that waits for its payment becomes pendiente once all is paid',
  body: z.strictObject({
    metodo: z.enum(METODOS_PAGO, 'Elige cómo se ha pagado'),
    importe: euros('Indica el importe en euros'),
    fecha: day,
    referencia: optionalText(120),
  }),
  response: { 201: doneWith(pedido) },
});

export const anularPago = endpoint('POST', '/api/pagos/:id/anular', {
  action: 'pago:manage',
  summary: 'Annul a payment noted by hand by mistake; it stays in the list, and no longer counts',
  body: z.strictObject({ motivo: text(200, 'Indica el motivo') }),
  response: { 200: done },
});

/* ---- genuine payments that match no order ---- */

/** Why a genuine payment changed no order: no known order, another amount, or another currency. */
export const POR_REVISAR = ['desconocido', 'importe', 'moneda'] as const;
/** What a superadmin decides: it counts as paid, it must be given back, it has been, or nothing is to be done. */
export const RESOLUCIONES = ['pagado', 'devolver', 'devuelto', 'visto'] as const;
export type Resolucion = (typeof RESOLUCIONES)[number];

export const pagoPorRevisar = z.object({
  id,
  proveedor_nombre: z.string(),
  /** The payment at its provider, where it can be looked up. */
  referencia: z.string(),
  causa: z.enum(POR_REVISAR),
  /** In units of `moneda`; null when the provider named none. */
  importe: z.number().nullable(),
  moneda: z.string(),
  received_at: instant,
  /** Its order, when known; `pendiente` is what is left to pay, in euros. */
  pedido: z.object({ id, numero_orden: z.string(), cliente_nombre: z.string(), pendiente: z.number() }).nullable(),
  /** `devolver` while the money is still to be given back. */
  resolucion: z.enum(RESOLUCIONES).nullable(),
  motivo: z.string().nullable(),
});
export type PagoPorRevisar = z.infer<typeof pagoPorRevisar>;

export const listPagosPorRevisar = endpoint('GET', '/api/pagos/por-revisar', {
  action: 'pago:manage',
  summary: 'Genuine payments that changed no order and still wait for somebody to act, oldest first',
  query: z.strictObject(pageQuery),
  response: { 200: paged(pagoPorRevisar) },
});

export const resolverPago = endpoint('POST', '/api/pagos/:id/revision', {
  action: 'pago:manage',
  summary: 'Decide about such a payment; `pagado` needs an order where none is known, and euros where it was in another currency',
  body: z.strictObject({
    resolucion: z.enum(RESOLUCIONES, 'Elige qué se hace con el pago'),
    motivo: text(300, 'Indica el motivo'),
    numero_orden: optionalText(40),
    importe: euros().nullish(),
  }),
  response: { 200: done },
});
