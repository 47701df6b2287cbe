import { z } from 'zod';
import { day, id, isoInstant } from '../kit/schemas.ts';
import { pedido, pedidoTransportista } from '../pedidos/schemas.ts';
import { TEST_EVENT, WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS } from './fields.ts';

const about = <T extends string, D extends z.ZodType>(type: T, data: D) => z.object({ type: z.literal(type), timestamp: isoInstant, data });

/** Order at the time of the event; without permission for prices, as its carrier sees it. */
const ofPedido = z.object({ pedido: z.union([pedido, pedidoTransportista]) });

const ofProducto = z.object({ producto: z.object({ id, name: z.string(), stock: z.number(), min_stock: z.number() }) });

const ofMovimiento = z.object({
  producto: ofProducto.shape.producto.extend({ unidades: z.number().describe('Signed'), motivo: z.string(), pedidos: z.array(id) }),
});

/** Null without permission for prices. */
const importe = z.number().nullable();

const ofPago = z.object({ pago: z.object({ id, pedido_id: id, proveedor: z.string(), estado: z.string(), importe, fecha: day }) });

const ofReembolso = z.object({
  reembolso: z.object({
    pedido_id: id,
    pago_id: id.nullable(),
    devolucion_id: id.nullable(),
    importe: importe.describe('Negative for a refund that is taken back, noted by mistake'),
  }),
});

const ofRemesa = z.object({
  remesa: z.object({
    ...{ id, numero: z.number(), empresa: z.string(), fecha: day, cobros: z.number().describe('Payments that it brings') },
    ...{ recibido: importe, comision: importe, aparte: importe.describe('Part of what was received that is of no order') },
  }),
});

const ofCliente = z.object({ cliente: z.object({ id, cambio: z.string() }) });

const ofTarea = z.object({ tarea: z.object({ nombre: z.string(), titulo: z.string(), motivo: z.string() }) });

const ofCopia = z.object({ copia: z.object({ nombre: z.string(), motivo: z.string() }) });

/** Data of each event that is not about an order. */
const OTHERS: Partial<Record<(typeof WEBHOOK_EVENT_NAMES)[number], z.ZodType>> = {
  'pago.anotado': ofPago,
  'pago.anulado': ofPago,
  'pago.reembolsado': ofReembolso,
  'remesa.recibida': ofRemesa,
  'remesa.deshecha': ofRemesa,
  'stock.bajo': ofProducto,
  'stock.movido': ofMovimiento,
  'cliente.modificado': ofCliente,
  'job.failing': ofTarea,
  'backup.failed': ofCopia,
};

type Payload = { label: string; body: z.ZodObject };
const ofEvent = (type: (typeof WEBHOOK_EVENT_NAMES)[number]): [string, Payload] => [
  type,
  { label: WEBHOOK_EVENTS[type], body: about(type, OTHERS[type] ?? ofPedido) },
];

/** Body of each webhook event with its label, and of the test event (docs/webhooks.md). */
export const WEBHOOK_PAYLOADS: ReadonlyMap<string, Payload> = new Map([
  ...WEBHOOK_EVENT_NAMES.map(ofEvent),
  [TEST_EVENT, { label: 'Aviso de prueba', body: about(TEST_EVENT, z.object({ mensaje: z.string() })) }],
]);
