import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type { Action } from '../policy/policy.ts';
import type * as schemas from './schemas.ts';

/** For an answer with prices, which a key reads only with a second permission. */
const withPrices = <const A extends Action>(action: A) => ({ action, also: 'pedido:prices' }) as const;

export type Pedido = z.infer<typeof schemas.pedido>;

export type PedidoTransportista = z.infer<typeof schemas.pedidoTransportista>;

export type PedidoDisponible = z.infer<typeof schemas.pedidoDisponible>;

export const listPedidos = endpoint<typeof schemas.listPedidos>()('GET', '/api/pedidos', 'pedido:list');

/** Error code for a carrier who no longer has the order. */
export const WITHDRAWN = 'retirado';

export const getPedido = endpoint<typeof schemas.getPedido>()('GET', '/api/pedidos/:id', 'pedido:read');

export type CreatePedido = z.output<typeof schemas.createPedidoBody>;

export const createPedido = endpoint<typeof schemas.createPedido>()('POST', '/api/pedidos', withPrices('pedido:create'));

export type UpdatePedido = z.output<typeof schemas.updatePedidoBody>;

export const updatePedido = endpoint<typeof schemas.updatePedido>()('PUT', '/api/pedidos/:id', withPrices('pedido:edit'));

export const patchPedido = endpoint<typeof schemas.patchPedido>()('PATCH', '/api/pedidos/:id', withPrices('pedido:edit'));

export const setLineas = endpoint<typeof schemas.setLineas>()('PUT', '/api/pedidos/:id/lineas', withPrices('pedido:edit-lines'));

export type SetLineas = z.output<typeof schemas.setLineas.body>;

export type EstadoInput = z.output<typeof schemas.estadoBody>;

export const setEstado = endpoint<typeof schemas.setEstado>()('POST', '/api/pedidos/:id/estado', 'pedido:transition');

export const aplazarPedido = endpoint<typeof schemas.aplazarPedido>()('POST', '/api/pedidos/:id/aplazar', withPrices('pedido:postpone'));

export type Intento = z.infer<typeof schemas.intento>;

export const listIntentos = endpoint<typeof schemas.listIntentos>()('GET', '/api/pedidos/:id/intentos', 'pedido:history');

export const responderIncidencia = endpoint<typeof schemas.responderIncidencia>()(
  'POST',
  '/api/pedidos/:id/incidencia',
  withPrices('pedido:postpone'),
);

export const calcularEnvio = endpoint<typeof schemas.calcularEnvio>()(
  'POST',
  '/api/pedidos/:id/calcular-envio',
  withPrices('pedido:history'),
);

export const assignTransportista = endpoint<typeof schemas.assignTransportista>()(
  'POST',
  '/api/pedidos/:id/assign-transportista',
  withPrices('pedido:assign'),
);

export const deletePedido = endpoint<typeof schemas.deletePedido>()('DELETE', '/api/pedidos/:id', withPrices('pedido:delete'));

export const restorePedido = endpoint<typeof schemas.restorePedido>()('POST', '/api/pedidos/:id/restaurar', withPrices('pedido:restore'));

export const duplicatePedido = endpoint<typeof schemas.duplicatePedido>()(
  'POST',
  '/api/pedidos/:id/duplicar',
  withPrices('pedido:duplicate'),
);

export const separarVenta = endpoint<typeof schemas.separarVenta>()(
  'POST',
  '/api/pedidos/:id/venta-aparte',
  withPrices('pedido:separate-sale'),
);

export const calcularTotal = endpoint<typeof schemas.calcularTotal>()('POST', '/api/pedidos/calcular-total', withPrices('pedido:create'));

export type CalcularTotal = z.output<typeof schemas.calcularTotal.body>;

export type HistoryEntry = z.infer<typeof schemas.historyEntry>;

export const getHistorial = endpoint<typeof schemas.getHistorial>()('GET', '/api/pedidos/:id/historial', withPrices('pedido:history'));

type ByRole = Pedido | PedidoTransportista | PedidoDisponible;

/** True for an order with all fields, as sent to superadmins and the order's reseller. */
export const isWhole = (pedido: ByRole): pedido is Pedido => 'precio_total' in pedido;
