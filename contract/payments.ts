import { z } from 'zod';
import { done, endpoint, id, idParams, instant, optionalText, text } from './kit.ts';
import { ESTADOS } from './pedidos.flow.ts';

export const pagoParams = z.strictObject({ token: text(100) });

/** The public page of one order: what the end customer needs and nothing else. Amounts in euros. */
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
  /** Where the company follows the parcel, when the settings know its page. */
  seguimiento_url: z.string().nullable(),
  metodo_entrega: z.string().nullable(),
  empresa: z.string(),
  /** Only while the payment is pending and an account is set. `epc` is the text of the EPC069-12 QR code. */
  transferencia: z
    .object({ beneficiario: z.string(), iban: z.string(), bic: z.string().nullable(), concepto: z.string(), epc: z.string() })
    .nullable(),
  /** The customer said that the transfer is made; a superadmin still has to see it arrive. */
  transferencia_avisada: z.boolean(),
  /** What each payment provider offers, in order; false when it is not configured or there is nothing to pay. */
  metodos: z.record(z.string(), z.union([z.literal(false), z.array(z.object({ id: z.string(), label: z.string() }))])),
  /** True only in the demo: the payment can be simulated. */
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

/** Who takes the payment: an id of server/payments/providers.ts. */
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

/** The body is read raw, as the signature is over its bytes: see server/payments/payments.routes.ts. */
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
 * `iniciado`: sent to the bank's page, nothing known yet. `rechazado`: the bank said no. `tardio`: the money came for
 * an order cancelled or deleted. `duplicado`: the order was already paid. `devolucion_pendiente`: it was paid and then
 * cancelled. The last three are to be given back, and then are `devuelto`.
 */
export const ESTADOS_PAGO = ['iniciado', 'pagado', 'rechazado', 'tardio', 'duplicado', 'devolucion_pendiente', 'devuelto'] as const;
export type EstadoPago = (typeof ESTADOS_PAGO)[number];
/** Money that is not ours to keep. */
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
  /** How it was given back, in the superadmin's words. */
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
