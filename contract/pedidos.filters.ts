import { z } from 'zod';
import { day, id, MAX_PER_PAGE, pageQuery } from './kit.ts';
import { ESTADOS, METODOS_ENTREGA } from './pedidos.flow.ts';

/* What a list of orders can be asked for. */

export const estado = z.enum(ESTADOS, { error: 'Estado no válido' });
export const metodoEntrega = z.enum(METODOS_ENTREGA, { error: 'Por favor, selecciona un método de entrega' });

export const SORTS = [
  'fecha_pedido',
  'numero_orden',
  'cliente_nombre',
  'revendedor_nombre',
  'transportista_nombre',
  'estado',
  'precio_total',
  'fecha_completado',
] as const;

/** Filters of the order lists; `estado` takes one or several separated by commas, `transportista_id` also `sin`. */
export const pedidoFilters = {
  search: z
    .string()
    .trim()
    .max(100, 'La búsqueda es demasiado larga')
    .refine((s) => s.isWellFormed() && !s.includes('\0'), 'Búsqueda no válida')
    .optional(),
  /** Those and no others, separated by commas. */
  ids: z
    .string()
    .transform((value) => value.split(','))
    .pipe(z.array(id).max(MAX_PER_PAGE, `Como máximo ${MAX_PER_PAGE} pedidos a la vez`))
    .optional(),
  estado: z
    .string()
    .transform((value) => value.split(','))
    .pipe(z.array(estado).max(ESTADOS.length))
    .optional(),
  fecha_desde: day.optional(),
  fecha_hasta: day.optional(),
  revendedor_id: id.optional(),
  transportista_id: z.union([id, z.literal('sin')]).optional(),
  empresa_transporte: metodoEntrega.optional(),
  /** Completed on that day or later. */
  completado_desde: day.optional(),
  /** Open orders whose `fecha_estimada` is before today. */
  atrasado: z.literal('si', 'Filtro no válido').optional(),
  /** Unpaid orders whose customer says that the transfer is made. */
  transferencia: z.literal('si', 'Filtro no válido').optional(),
  /** Orders with money to give back, deleted ones too; for superadmins. */
  devolucion: z.literal('pendiente', 'Filtro no válido').optional(),
};
export const pedidosQuery = z.strictObject({
  ...pageQuery,
  ...pedidoFilters,
  /** By `precio_total` only for those who see prices. */
  sort: z.enum(SORTS, 'Orden no válido').default('fecha_pedido'),
  dir: z.enum(['asc', 'desc'], 'Orden no válido').default('desc'),
});
