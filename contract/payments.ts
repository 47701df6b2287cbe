import { z } from 'zod';
import { done, endpoint, id, idParams, instant, optionalText, text } from './kit.ts';
import { ESTADOS } from './pedidos.flow.ts';

export const pagoParams = z.strictObject({ token: text(100) });

/** An order's public payment page: only what the end customer needs. Amounts in euros. */
export const pagoPublico = z.object({
  numero_orden: z.string(),
  cliente_nombre: z.string(),
  producto: z.string(),
  cantidad: z.number(),
  total: z.number(),
  estado: z.enum(ESTADOS),
  fecha_pedido: instant,
  fecha_estimada: instant.nullable(),
  fecha_completado: instant.nullable(),
  numero_seguimiento: z.string().nullable(),
  /** Carrier's tracking page, when the settings define one. */
  seguimiento_url: z.string().nullable(),
  metodo_entrega: z.string().nullable(),
  empresa: z.string(),
  /** Present while the payment is pending and an account is set. `epc` is the EPC069-12 QR code's text. */
  transferencia: z
    .object({ beneficiario: z.string(), iban: z.string(), bic: z.string().nullable(), concepto: z.string(), epc: z.string() })
    .nullable(),
  /** The customer reported the transfer; a superadmin has yet to confirm it arrived. */
  transferencia_avisada: z.boolean(),
  /** Payment providers in order; false when not configured or nothing is due. */
  metodos: z.record(z.string(), z.union([z.literal(false), z.array(z.object({ id: z.string(), label: z.string() }))])),
  /** True only in the demo, where the payment can be simulated. */
  simulador: z.boolean(),
});
export type PagoPublico = z.infer<typeof pagoPublico>;

export const getPago = endpoint({
  method: 'GET',
  path: '/api/pagar/:token',
  action: 'public',
  summary: 'The payment page of an order; after payment, its progress',
  params: pagoParams,
  response: { 200: z.object({ data: pagoPublico }) },
});

export const simularPago = endpoint({
  method: 'POST',
  path: '/api/pagar/:token/simular',
  action: 'public',
  summary: 'Demo only: act as if the bank had confirmed the payment',
  params: pagoParams,
  response: { 200: done },
});

export const avisarTransferencia = endpoint({
  method: 'POST',
  path: '/api/pagar/:token/transferencia',
  action: 'public',
  summary: 'The customer says that the transfer is made; saying it again changes nothing',
  params: pagoParams,
  response: { 200: done },
});

/** Payment provider: an id from server/payments/providers.ts. */
const proveedor = text(40);

export const startPago = endpoint({
  method: 'POST',
  path: '/api/pagar/:token/:proveedor',
  action: 'public',
  summary: 'The address of the provider’s page where this order is paid; with `fields`, a signed form to post there',
  params: pagoParams.extend({ proveedor }),
  body: z.strictObject({ metodo: text(40, 'Elige cómo quieres pagar').optional() }).nullish(),
  response: { 200: z.object({ url: z.string(), fields: z.record(z.string(), z.string()).optional() }) },
});

/** Read raw because the signature covers the bytes (server/payments/payments.routes.ts). */
export const notifyPago = endpoint({
  method: 'POST',
  path: '/api/webhooks/:proveedor',
  action: 'signed',
  summary: 'A notification of a payment provider, in its own form and signed by it',
  params: z.strictObject({ proveedor }),
  response: { 200: z.object({ received: z.literal(true) }) },
});

/* ---- the payments of an order, for superadmins ---- */

/**
 * `iniciado`: redirected to the bank, no outcome yet. `rechazado`: declined by the bank. `tardio`: arrived after the
 * order was cancelled or deleted. `duplicado`: the order was already paid. `devolucion_pendiente`: paid, then
 * cancelled. The last three must be refunded, which makes them `devuelto`.
 */
export const ESTADOS_PAGO = ['iniciado', 'pagado', 'rechazado', 'tardio', 'duplicado', 'devolucion_pendiente', 'devuelto'] as const;
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
  created_at: instant,
  updated_at: instant,
  /** How it was refunded, as noted by the superadmin. */
  nota: z.string().nullable(),
});
export type Pago = z.infer<typeof pago>;

export const listPagos = endpoint({
  method: 'GET',
  path: '/api/pedidos/:id/pagos',
  action: 'pago:manage',
  summary: 'The payments of an order, newest first',
  params: idParams,
  response: { 200: z.object({ data: z.array(pago) }) },
});

export const devolverPago = endpoint({
  method: 'POST',
  path: '/api/pagos/:id/devuelto',
  action: 'pago:manage',
  summary: 'Note that a payment has been given back; the giving back itself is done at the bank',
  params: idParams,
  body: z.strictObject({ nota: optionalText(200) }),
  response: { 200: done },
});
