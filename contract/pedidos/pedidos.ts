import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type Pedido = z.infer<typeof schemas.pedido>;

export type PedidoTransportista = z.infer<typeof schemas.pedidoTransportista>;

export type PedidoDisponible = z.infer<typeof schemas.pedidoDisponible>;

export const listPedidos = endpoint<typeof schemas.listPedidos>()('GET', '/api/pedidos', 'pedido:list');

/** Error code for a carrier who no longer has the order. */
export const WITHDRAWN = 'retirado';

export const getPedido = endpoint<typeof schemas.getPedido>()('GET', '/api/pedidos/:id', 'pedido:read');

export type CreatePedido = z.output<typeof schemas.createPedidoBody>;

export const createPedido = endpoint<typeof schemas.createPedido>()('POST', '/api/pedidos', {
  action: 'pedido:create',
  also: 'pedido:prices',
});

export type UpdatePedido = z.output<typeof schemas.updatePedidoBody>;

export const updatePedido = endpoint<typeof schemas.updatePedido>()('PUT', '/api/pedidos/:id', {
  action: 'pedido:edit',
  also: 'pedido:prices',
});

export const patchPedido = endpoint<typeof schemas.patchPedido>()('PATCH', '/api/pedidos/:id', {
  action: 'pedido:edit',
  also: 'pedido:prices',
});

export const setLineas = endpoint<typeof schemas.setLineas>()('PUT', '/api/pedidos/:id/lineas', {
  action: 'pedido:edit-lines',
  also: 'pedido:prices',
});

export type SetLineas = z.output<typeof schemas.setLineas.body>;

export type EstadoInput = z.output<typeof schemas.estadoBody>;

export const setEstado = endpoint<typeof schemas.setEstado>()('POST', '/api/pedidos/:id/estado', 'pedido:transition');

export const aplazarPedido = endpoint<typeof schemas.aplazarPedido>()('POST', '/api/pedidos/:id/aplazar', {
  action: 'pedido:postpone',
  also: 'pedido:prices',
});

export type Intento = z.infer<typeof schemas.intento>;

export const listIntentos = endpoint<typeof schemas.listIntentos>()('GET', '/api/pedidos/:id/intentos', 'pedido:history');

export const responderIncidencia = endpoint<typeof schemas.responderIncidencia>()('POST', '/api/pedidos/:id/incidencia', {
  action: 'pedido:postpone',
  also: 'pedido:prices',
});

export const calcularEnvio = endpoint<typeof schemas.calcularEnvio>()('POST', '/api/pedidos/:id/calcular-envio', {
  action: 'pedido:history',
  also: 'pedido:prices',
});

export const assignTransportista = endpoint<typeof schemas.assignTransportista>()('POST', '/api/pedidos/:id/assign-transportista', {
  action: 'pedido:assign',
  also: 'pedido:prices',
});

export const deletePedido = endpoint<typeof schemas.deletePedido>()('DELETE', '/api/pedidos/:id', {
  action: 'pedido:delete',
  also: 'pedido:prices',
});

export const restorePedido = endpoint<typeof schemas.restorePedido>()('POST', '/api/pedidos/:id/restaurar', {
  action: 'pedido:restore',
  also: 'pedido:prices',
});

export const duplicatePedido = endpoint<typeof schemas.duplicatePedido>()('POST', '/api/pedidos/:id/duplicar', {
  action: 'pedido:duplicate',
  also: 'pedido:prices',
});

export const separarVenta = endpoint<typeof schemas.separarVenta>()('POST', '/api/pedidos/:id/venta-aparte', {
  action: 'pedido:separate-sale',
  also: 'pedido:prices',
});

export const calcularTotal = endpoint<typeof schemas.calcularTotal>()('POST', '/api/pedidos/calcular-total', {
  action: 'pedido:create',
  also: 'pedido:prices',
});

export type CalcularTotal = z.output<typeof schemas.calcularTotal.body>;

export type HistoryEntry = z.infer<typeof schemas.historyEntry>;

export const getHistorial = endpoint<typeof schemas.getHistorial>()('GET', '/api/pedidos/:id/historial', {
  action: 'pedido:history',
  also: 'pedido:prices',
});

type ByRole = Pedido | PedidoTransportista | PedidoDisponible;

/** True for an order with all fields, as sent to superadmins and the order's reseller. */
export const isWhole = (pedido: ByRole): pedido is Pedido => 'precio_total' in pedido;
