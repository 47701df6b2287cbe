import { z } from 'zod';
import { inputSchemas } from '../kit/fields.schemas.ts';
import { id, isoInstant, listQuery, operation, optionalText, paged, sentInstant } from '../kit/schemas.ts';
import { metodoEntrega, pedidoFilters } from '../pedidos/filters.schemas.ts';
import { TRANSITION_NAMES } from '../pedidos/flow.ts';
import { INPUTS } from '../pedidos/inputs.ts';
import { pedidoDisponible, pedidoTransportista } from '../pedidos/schemas.ts';
import { anunciadas } from '../pruebas/schemas.ts';
import { MAX_TOMAR, TOLD_INPUTS } from './fields.ts';

export const listDisponibles = operation('Pending orders nobody has taken, those promised first before the others', {
  query: z.strictObject({
    ...listQuery,
    search: pedidoFilters.search,
    estado: pedidoFilters.estado,
    fecha_desde: pedidoFilters.fecha_desde,
    fecha_hasta: pedidoFilters.fecha_hasta,
    ciudad: pedidoFilters.ciudad,
    sort: z.enum(['fecha_estimada', 'cliente_ciudad'], 'Orden no válido').default('fecha_estimada'),
  }),
  200: paged(pedidoDisponible),
});

export const autoAsignar = operation('Take an available order', {
  body: z.strictObject({ empresa_transporte: metodoEntrega.nullish() }).nullish(),
  200: z.object({ message: z.string(), pedido: pedidoTransportista }),
});

export const tomarPedidos = operation('Take several available orders, with a result for each', {
  body: z.strictObject({ ids: z.array(id).min(1, 'Elige al menos un pedido').max(MAX_TOMAR, `Como máximo ${MAX_TOMAR} pedidos a la vez`) }),
  200: z.object({
    message: z.string(),
    data: z.array(z.object({ id, ok: z.boolean(), message: z.string(), code: z.string().optional() })),
  }),
});

export const contarNoAceptado = operation('Tell the office of a refused step', {
  body: z.strictObject({
    pedido_id: id,
    paso: z.enum(TRANSITION_NAMES, 'Paso no válido'),
    ocurrido: sentInstant,
    rechazo: optionalText(500),
    sin_entregar: optionalText(500),
    pruebas: anunciadas.optional().describe('Its files, which `/pruebas` takes then'),
    pendiente: z.boolean().optional().describe('True if the telephone goes on sending it, after an error of the server'),
    ...inputSchemas(INPUTS, TOLD_INPUTS),
  }),
  200: z.object({ message: z.string() }),
});

export const sinEnviar = z.object({
  transportista_id: id,
  transportista_nombre: z.string(),
  pedidos: z.number().describe('Orders with something unsent'),
  desde: isoInstant.describe('When the oldest of it was done, by the telephone'),
  visto_at: isoInstant.describe('When the telephone last said so'),
});

export const listSinEnviar = operation('What waits on carriers’ telephones for coverage, by their last call', {
  200: z.object({ data: z.array(sinEnviar) }),
});

export const listCiudades = operation('Towns of the available orders, or of those the carrier has in hand', {
  query: z.strictObject({ de: z.enum(['disponibles', 'asignados'], 'Lista no válida') }),
  200: z.object({ data: z.array(z.object({ ciudad: z.string(), pedidos: z.number() })) }),
});
