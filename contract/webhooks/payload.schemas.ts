import { z } from 'zod';
import { id, instant } from '../kit/schemas.ts';
import { pedido, pedidoTransportista } from '../pedidos/schemas.ts';
import { TEST_EVENT, WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS } from './fields.ts';

const about = <T extends string, D extends z.ZodType>(type: T, data: D) => z.object({ type: z.literal(type), timestamp: instant, data });

/** Order at the time of the event, as its carrier sees it if the permission for prices is missing. */
const ofPedido = z.object({ pedido: z.union([pedido, pedidoTransportista]) });

const ofProducto = z.object({ producto: z.object({ id, name: z.string(), stock: z.number(), min_stock: z.number() }) });

type Payload = { label: string; body: z.ZodObject };
const ofEvent = (type: (typeof WEBHOOK_EVENT_NAMES)[number]): [string, Payload] => [
  type,
  { label: WEBHOOK_EVENTS[type], body: type.startsWith('pedido.') ? about(type, ofPedido) : about(type, ofProducto) },
];

/** Body of each webhook event with its label, and of the test (docs/webhooks.md). */
export const WEBHOOK_PAYLOADS: ReadonlyMap<string, Payload> = new Map([
  ...WEBHOOK_EVENT_NAMES.map(ofEvent),
  [TEST_EVENT, { label: 'Aviso de prueba', body: about(TEST_EVENT, z.object({ mensaje: z.string() })) }],
]);
