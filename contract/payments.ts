import { z } from 'zod';
import { done, endpoint, instant, text } from './kit.ts';
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
  metodo_entrega: z.string().nullable(),
  empresa: z.string(),
  /** Only while the payment is pending and an account is set. `epc` is the text of the EPC069-12 QR code. */
  transferencia: z.object({ beneficiario: z.string(), iban: z.string(), bic: z.string().nullable(), concepto: z.string(), epc: z.string() }).nullable(),
  /** True only in the demo: the payment can be simulated. */
  simulador: z.boolean(),
});
export type PagoPublico = z.infer<typeof pagoPublico>;

export const getPago = endpoint({
  method: 'GET',
  path: '/api/pagar/:token',
  allow: 'public',
  summary: 'The payment page of an order; after payment, its progress',
  params: pagoParams,
  response: { 200: z.object({ data: pagoPublico }) },
});

export const simularPago = endpoint({
  method: 'POST',
  path: '/api/pagar/:token/simular',
  allow: 'public',
  summary: 'Demo only: act as if the bank had confirmed the payment',
  params: pagoParams,
  response: { 200: done },
});
