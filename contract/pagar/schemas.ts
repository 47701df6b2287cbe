import { z } from 'zod';
import { MOTIVOS_PARTE } from '../devoluciones/fields.ts';
import { day, doneMessage, id, isoInstant, operation, text } from '../kit/schemas.ts';
import { FAILED_REASONS, type FailedReason } from '../pedidos/attempts.ts';
import { ESTADOS } from '../pedidos/estados.ts';
import { aplazarBody } from '../pedidos/schemas.ts';
import { SITUATION_IDS } from '../pedidos/situations.ts';
import { TIPOS_PRUEBA } from '../pruebas/fields.ts';

/* The customer of an order has no account: the URL is the credential. */

const pagoParams = z.strictObject({ token: text(100) });

export const contacto = z.object({ telefono: z.string().nullable(), email: z.string().nullable(), whatsapp_url: z.string().nullable() });

/** A partial delivery as shown to the customer, by line. Amounts in euros. */
const parcial = z.object({
  lineas: z.array(
    z.object({
      producto: z.string(),
      pedidas: z.number(),
      faltan: z.array(z.object({ cantidad: z.number(), motivo: z.enum(MOTIVOS_PARTE) })).describe('Empty for a line that came whole'),
    }),
  ),
  valor: z.number().describe('Worth of what was left out; the sum of the next four'),
  sin_pagar: z.number().describe('Of it, never paid: nothing is asked for it'),
  por_devolver: z.number(),
  devuelto: z.number(),
  pasado: z.number().describe('Paid, and now the payment of `resto`'),
  resto: z.object({ numero_orden: z.string(), url: z.string(), cancelado: z.boolean() }).nullable().describe('Order that brings the rest'),
});

/** Public payment page: only what the end customer needs. Amounts in euros. */
export const pagoPublico = z.object({
  numero_orden: z.string(),
  zona_horaria: z.string().describe('IANA time zone of the business, in which its days and hours are meant'),
  cliente_nombre: z.string(),
  producto: z.string(),
  cantidad: z.number(),
  lineas: z.array(z.object({ producto: z.string(), cantidad: z.number(), precio_total: z.number(), imagen: z.string().optional() })),
  envio: z.number(),
  descuento: z.number(),
  total: z.number(),
  pendiente: z.number(),
  pagado: z.number().describe('Paid and not given back'),
  por_pagar: z.boolean().describe('Not cancelled, and either something is due or the order waits for its payment'),
  contra_reembolso: z.boolean().describe('What is due is paid to the carrier; it may be paid here before'),
  estado: z.enum(ESTADOS),
  fecha_pedido: isoInstant,
  fecha_estimada: isoInstant.nullable(),
  fecha_si_paga: isoInstant.nullable().describe('Promised date if paid now; null unless the order waits for its payment'),
  fecha_completado: isoInstant.nullable(),
  entrega_anulada_at: isoInstant.nullable().describe('Time of a delivery that was taken back'),
  direccion: z.string().describe('With floor and door, so that the customer sees whether they are missing'),
  intentos: z
    .array(z.object({ fecha: isoInstant, causa: z.enum(Object.keys(FAILED_REASONS) as [FailedReason]).nullable() }))
    .describe("Failed deliveries, oldest first; `causa` is null for a carrier's own words"),
  dias_posibles: z.array(day).describe('Days to which the customer may put off the delivery; none once delivered, or before payment'),
  aviso: z.string().nullable().describe('What the customer has asked of the delivery'),
  situaciones: z.array(z.enum(SITUATION_IDS)).describe('What is the matter with the order, the most important first'),
  en_empresa: z.string().nullable().describe('Company that has the parcel'),
  proximo_intento: isoInstant.nullable(),
  numero_seguimiento: z.string().nullable(),
  seguimiento_url: z.string().nullable(),
  metodo_entrega: z.string().nullable(),
  empresa: z.string(),
  logo: z.string().optional().describe('Address of the logo of the business; absent without one'),
  /** Null unless the payment is pending and the settings have an account. `epc`: text of the QR code (EPC069-12). */
  transferencia: z
    .object({ beneficiario: z.string(), iban: z.string(), bic: z.string().nullable(), concepto: z.string(), epc: z.string() })
    .nullable(),
  transferencia_avisada: z.boolean().describe('Reported by the customer; a superadmin has yet to confirm the money arrived'),
  transferencia_hasta: day
    .nullable()
    .describe('Day on which an order without the reported transfer expires; null: no limit, or none reported'),
  metodos: z.record(z.string(), z.union([z.literal(false), z.array(z.object({ id: z.string(), label: z.string() }))])),
  intento_fallido: z.boolean().describe('The last card payment failed: declined by the bank, or abandoned'),
  devoluciones: z
    .array(z.object({ importe: z.number(), hecha: z.boolean(), fecha: day }))
    .describe('Refunds in euros; `fecha` is the day of the refund or, unless `hecha`, its deadline'),
  parcial: parcial.optional().describe('Absent unless the delivery left something out'),
  entrega: z
    .object({
      pin: z.string().nullable().describe('To give to the carrier; null before payment, after delivery, and where no delivery asks for it'),
      vecino: z
        .object({ permitido_at: isoInstant.nullable() })
        .nullable()
        .describe('Whether a neighbour may take the order; null before payment'),
      texto: z.string().nullable().describe('How it was delivered'),
      pruebas: z.array(z.object({ tipo: z.enum(TIPOS_PRUEBA), url: z.string() })),
    })
    .optional()
    .describe('Absent in a shop without proof of delivery'),
  llegada: z
    .object({ paradas: z.number(), desde: isoInstant, hasta: isoInstant })
    .optional()
    .describe('Stops before this one, and when the carrier comes; absent where that is not known'),
  contacto,
  simulador: z.boolean(),
});

export const getPago = operation('The payment page of an order; after payment, its progress', {
  params: pagoParams,
  200: z.object({ data: pagoPublico }),
});

export const simularPago = operation('Demo only: act as if the bank had confirmed the payment', { params: pagoParams, 200: doneMessage });

export const avisarTransferencia = operation('The customer says that the transfer is made; saying it again changes nothing', {
  params: pagoParams,
  200: doneMessage,
});

export const aplazarEntrega = operation('The customer will not be there: another day, and a note to the carrier', {
  params: pagoParams,
  body: aplazarBody,
  200: doneMessage,
});

export const permitirVecino = operation('The customer lets a neighbour take the order, or takes that back, until it is delivered', {
  params: pagoParams,
  body: z.strictObject({ permitido: z.boolean('Valor no válido') }),
  200: doneMessage,
});

export const getPruebaPublica = operation('Signature or photo of the delivery, for the customer', {
  params: pagoParams.extend({ id }),
  file: 'application/octet-stream',
});

export const getEmpresa = operation('Name of the business and how to reach it, for whoever has a payment link that is none', {
  200: z.object({ empresa: z.string(), logo: pagoPublico.shape.logo, contacto }),
});

export const startPago = operation(
  'The address of the provider’s page where this order is paid; with `fields`, a signed form to post there',
  {
    params: pagoParams.extend({ proveedor: text(40) }),
    body: z.strictObject({ metodo: text(40, 'Elige cómo quieres pagar').optional() }).nullish(),
    200: z.object({ url: z.string(), fields: z.record(z.string(), z.string()).optional() }),
  },
);
