import { z } from 'zod';
import { endpoint, idParams, paged, pageQuery } from './kit.ts';
import { metodoEntrega, pedidoFilters } from './pedidos.filters.ts';
import { pedidoDisponible, pedidoTransportista } from './pedidos.ts';

export const listDisponibles = endpoint({
  method: 'GET',
  path: '/api/transportista/pedidos-disponibles',
  action: 'pedido:take',
  summary: 'Pending orders nobody has taken',
  query: z.strictObject({
    ...pageQuery,
    search: pedidoFilters.search,
    estado: pedidoFilters.estado,
    fecha_desde: pedidoFilters.fecha_desde,
    fecha_hasta: pedidoFilters.fecha_hasta,
  }),
  response: { 200: paged(pedidoDisponible) },
});

export const autoAsignar = endpoint({
  method: 'POST',
  path: '/api/transportista/pedidos/:id/auto-asignar',
  action: 'pedido:take',
  summary: 'Take an available order',
  params: idParams,
  body: z.strictObject({ empresa_transporte: metodoEntrega.nullish() }).nullish(),
  response: { 200: z.object({ message: z.string(), pedido: pedidoTransportista }) },
});
