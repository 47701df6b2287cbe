import { z } from 'zod';
import { endpoint, id, paged, pageQuery } from './kit.ts';
import { metodoEntrega, pedidoFilters } from './pedidos.filters.ts';
import { pedidoDisponible, pedidoTransportista } from './pedidos.ts';

export const listDisponibles = endpoint('GET', '/api/transportista/pedidos-disponibles', {
  action: 'pedido:take',
  summary: 'Pending orders nobody has taken, those promised first before the others',
  query: z.strictObject({
    ...pageQuery,
    search: pedidoFilters.search,
    estado: pedidoFilters.estado,
    fecha_desde: pedidoFilters.fecha_desde,
    fecha_hasta: pedidoFilters.fecha_hasta,
    ciudad: pedidoFilters.ciudad,
    sort: z.enum(['fecha_estimada', 'cliente_ciudad'], 'Orden no válido').default('fecha_estimada'),
  }),
  response: { 200: paged(pedidoDisponible) },
});

export const autoAsignar = endpoint('POST', '/api/transportista/pedidos/:id/auto-asignar', {
  action: 'pedido:take',
  summary: 'Take an available order',
  body: z.strictObject({ empresa_transporte: metodoEntrega.nullish() }).nullish(),
  response: { 200: z.object({ message: z.string(), pedido: pedidoTransportista }) },
});

/** Orders taken in one call. */
export const MAX_TOMAR = 50;

export const tomarPedidos = endpoint('POST', '/api/transportista/pedidos/tomar', {
  action: 'pedido:take',
  summary: 'Take several available orders, with a result for each',
  body: z.strictObject({ ids: z.array(id).min(1, 'Elige al menos un pedido').max(MAX_TOMAR, `Como máximo ${MAX_TOMAR} pedidos a la vez`) }),
  response: { 200: z.object({ message: z.string(), data: z.array(z.object({ id, ok: z.boolean(), message: z.string() })) }) },
});

export const listCiudades = endpoint('GET', '/api/transportista/ciudades', {
  action: 'pedido:take',
  summary: 'Towns of the available orders, or of those the carrier has in hand',
  query: z.strictObject({ de: z.enum(['disponibles', 'asignados'], 'Lista no válida') }),
  response: { 200: z.object({ data: z.array(z.object({ ciudad: z.string(), pedidos: z.number() })) }) },
});
