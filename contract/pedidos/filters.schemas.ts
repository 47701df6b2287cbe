import { z } from 'zod';
import { contar, day, IDS_SAY, id, ids, pageQuery, sentInstant } from '../kit/schemas.ts';
import { ESTADOS } from './estados.ts';
import { PEDIDO_FIELDS } from './fields.ts';
import { type FilterName, HOY, PAGADO, PEDIDO_FILTERS, SORTS } from './filters.fields.ts';
import { METODOS_ENTREGA } from './metodos.ts';
import { readSearch } from './search.ts';
import { SITUATION_IDS } from './situations.ts';

export const estado = z.enum(ESTADOS, { error: 'Estado no válido' });

export const metodoEntrega = z.enum(METODOS_ENTREGA, { error: 'Por favor, selecciona un método de entrega' });

export const searchText = z
  .string()
  .overwrite(readSearch)
  .max(100, 'La búsqueda es demasiado larga')
  .refine((s) => s.isWellFormed() && !s.includes('\0'), 'Búsqueda no válida');

/** Text compared exactly; PostgreSQL text cannot hold NUL. */
const exact = (max: number, invalid: string) =>
  z
    .string()
    .max(max, invalid)
    .refine((s) => s.isWellFormed() && !s.includes('\0'), invalid);

const yes = z.literal('si', 'Filtro no válido');

const separated = z.string().transform((value) => value.split(','));

export const FILTER_SCHEMAS = {
  search: searchText,
  numero_orden: exact(PEDIDO_FIELDS.numero_orden.max, 'Número no válido').describe('Exactly this number'),
  referencia_externa: exact(PEDIDO_FIELDS.referencia_externa.max, 'Referencia no válida').describe(
    'Exactly this reference of another program',
  ),
  tienda: exact(PEDIDO_FIELDS.tienda.max, 'Tienda no válida').describe('Exactly this web shop'),
  ids: ids.describe(IDS_SAY),
  estado: separated.pipe(z.array(estado).max(ESTADOS.length)),
  fecha_desde: day,
  fecha_hasta: day,
  revendedor_id: id,
  transportista_id: z.union([id, z.literal('sin')]),
  empresa_transporte: metodoEntrega,
  ciudad: exact(PEDIDO_FIELDS.cliente_ciudad.max, 'Ciudad no válida'),
  completado_desde: day,
  completado_hasta: day,
  modificado_desde: sentInstant.describe('Changed at this instant or later; sort by `updated_at`, ascending'),
  situacion: z
    .enum(SITUATION_IDS, 'Filtro no válido')
    .exclude(['eliminado'])
    .describe('Orders with this among what is the matter with them'),
  atrasado: yes,
  hoy: z
    .enum(HOY, 'Filtro no válido')
    .describe('`toca`: promised for today or before, free to leave and not out yet. `calle`: left and not back. `hecho`: delivered today'),
  incidencia: yes,
  en_empresa: yes,
  envio_id: id,
  pagado: z.enum(PAGADO, 'Filtro no válido'),
  transferencia: yes,
  devolucion: z.literal('pendiente', 'Filtro no válido'),
  cliente_id: id,
  metadata: z
    .string()
    .regex(/^[a-z0-9_.-]{1,40}:[^\0]{1,500}$/, 'Se espera una clave y su valor, como woo_id:123')
    .refine((pair) => pair.isWellFormed(), 'Valor no válido'),
  eliminados: yes,
} satisfies Record<FilterName, z.ZodType>;

const optionalsOf = (table: typeof FILTER_SCHEMAS) =>
  Object.fromEntries(
    Object.entries(table).map(([name, schema]) => [
      name,
      schema.optional().describe(schema.description ?? PEDIDO_FILTERS[name as FilterName].label),
    ]),
  ) as {
    [F in FilterName]: z.ZodOptional<(typeof FILTER_SCHEMAS)[F]>;
  };
export const pedidoFilters = optionalsOf(FILTER_SCHEMAS);

export const pedidosFiltro = z.strictObject(pedidoFilters);

export const pedidosQuery = z.strictObject({
  ...pageQuery,
  ...pedidoFilters,
  sort: z
    .enum(SORTS, 'Orden no válido')
    .default('fecha_pedido')
    .describe('`situacion`: the most important first. That and `precio_total` require permission to see prices'),
  dir: z.enum(['asc', 'desc'], 'Orden no válido').default('desc'),
  contar,
  con: z.literal('lineas', 'Valor no válido').optional().describe('With the lines of each order'),
});

export type PedidoFilters = { [F in FilterName]?: z.output<(typeof FILTER_SCHEMAS)[F]> | undefined };
