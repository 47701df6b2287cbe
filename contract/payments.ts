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
  /** The providers that are configured, while there is something to pay. */
  metodos: z.object({ stripe: z.boolean(), redsys: z.boolean() }),
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

export const pagarConStripe = endpoint({
  method: 'POST',
  path: '/api/pagar/:token/stripe',
  action: 'public',
  summary: 'The address of a Stripe page where this order is paid by card or Bizum',
  params: pagoParams,
  response: { 200: z.object({ url: z.string() }) },
});

export const METODOS_REDSYS = ['tarjeta', 'bizum'] as const;

export const pagarConRedsys = endpoint({
  method: 'POST',
  path: '/api/pagar/:token/redsys',
  action: 'public',
  summary: 'A signed form that the page posts to the bank to pay this order by card or Bizum',
  params: pagoParams,
  body: z.strictObject({ metodo: z.enum(METODOS_REDSYS, { error: 'Elige cómo quieres pagar' }) }),
  response: {
    200: z.object({
      url: z.string(),
      fields: z.object({ Ds_SignatureVersion: z.string(), Ds_MerchantParameters: z.string(), Ds_Signature: z.string() }),
    }),
  },
});

/* ---- what the providers tell us ---- */

const received = z.object({ received: z.literal(true) });

/** The body is read raw, as the signature is over its bytes: see server/payments/webhooks.ts. */
export const stripeWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/stripe',
  action: 'signed',
  summary: 'An event of Stripe, signed in the header Stripe-Signature',
  response: { 200: received },
});

export const redsysWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/redsys',
  action: 'signed',
  summary: 'A notification of Redsys, form-encoded, signed in Ds_Signature',
  // Not strict: the bank adds fields when it pleases, and what counts is inside the signature.
  body: z.object({
    Ds_SignatureVersion: text(40, 'Falta la firma'),
    Ds_MerchantParameters: text(10_000, 'Faltan los datos'),
    Ds_Signature: text(200, 'Falta la firma'),
  }),
  response: { 200: received },
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

export const PROVEEDORES_PAGO = ['manual', 'simulador', 'stripe', 'redsys'] as const;
export type ProveedorPago = (typeof PROVEEDORES_PAGO)[number];

/** One payment of an order. `importe` in euros. */
export const pago = z.object({
  id,
  proveedor: z.string(),
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
