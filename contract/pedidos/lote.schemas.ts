import { z } from 'zod';
import { inputSchemas } from '../kit/fields.schemas.ts';
import { id, integer, operation, optionalText } from '../kit/schemas.ts';
import { METODOS_PAGO } from '../payments/fields.ts';
import { MAX_LOTE } from './fields.ts';
import { metodoEntrega, pedidosFiltro } from './filters.schemas.ts';
import { INPUTS } from './inputs.ts';

/** Orders by id or filter. `esperados`: number of orders that the user saw; nothing changes if the filter now matches a different number. */
const cuales = z.union([
  z.strictObject({ ids: z.array(id).min(1, 'Elige al menos un pedido').max(MAX_LOTE, `Como máximo ${MAX_LOTE} pedidos a la vez`) }),
  z.strictObject({ filtro: pedidosFiltro, esperados: integer(1, MAX_LOTE, `Como máximo ${MAX_LOTE} pedidos a la vez`) }),
]);

export const lotePedidos = operation('Assign, collect, move, cancel, delete or restore many orders, with a result for each', {
  body: z.strictObject({
    pedidos: cuales,
    accion: z.discriminatedUnion('tipo', [
      z.strictObject({ tipo: z.literal('asignar'), transportista_id: id.nullable(), empresa_transporte: metodoEntrega.nullish() }),
      z.strictObject({ tipo: z.literal('cancelar'), ...inputSchemas(INPUTS, ['motivo']) }),
      z.strictObject({ tipo: z.literal('eliminar') }),
      z.strictObject({ tipo: z.literal('restaurar') }),
      z.strictObject({
        tipo: z.literal('pagar'),
        metodo: z.enum(METODOS_PAGO, 'Elige cómo se ha pagado'),
        referencia: optionalText(120),
      }),
      z.strictObject({ tipo: z.literal('preparar') }),
      z.strictObject({ tipo: z.literal('volver') }),
      z.strictObject({ tipo: z.literal('salir') }),
      z.strictObject({ tipo: z.literal('completar'), metodo_entrega: metodoEntrega }),
    ]),
  }),
  200: z.object({
    message: z.string(),
    hechos: z.number(),
    data: z.array(z.object({ id, numero_orden: z.string(), ok: z.boolean(), message: z.string(), code: z.string().optional() })),
  }),
});

export const calcularDevolucion = operation('What cancelling or deleting these orders would owe to their customers, before it is done', {
  body: z.strictObject({ pedidos: cuales, para: z.enum(['cancelar', 'eliminar']).default('cancelar') }),
  200: z.object({ pagados: z.number(), importe: z.number() }),
});
