import { z } from 'zod';
import { contar, day, id, MAX_PER_PAGE, pageQuery } from './kit.ts';
import { PEDIDO_FIELDS, type PedidoFieldName } from './pedidos.fields.ts';
import { ESTADOS, METODOS_ENTREGA } from './pedidos.flow.ts';

/* Filters, sorting and paging of order lists. */

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
  'fecha_estimada',
  'cliente_ciudad',
] as const;

/** Paid in full, in part, or not at all. */
export const PAGADO = ['si', 'parte', 'no'] as const;

type Filter = {
  /** Name in the audit log. */
  label: string;
  /** Accepted value on the wire. */
  schema: z.ZodType;
  /** Covered by the daily totals: a list using only such filters needs no count query. */
  totals?: true;
} & (
  | {
      /** How `column` compares with the value; `since` and `until` include the given day. */
      column: PedidoFieldName;
      is: 'equal' | 'among' | 'since' | 'until';
      /** Value that matches a null column. */
      none?: string;
    }
  /** Implemented by hand in `OWN` of server/pedidos/filter.ts. */
  | { is: 'own' }
);

export const searchText = z
  .string()
  .trim()
  .max(100, 'La búsqueda es demasiado larga')
  .refine((s) => s.isWellFormed() && !s.includes('\0'), 'Búsqueda no válida');
const yes = z.literal('si', 'Filtro no válido');
const separated = z.string().transform((value) => value.split(','));

/** Every filter of the order lists; add one by adding an entry. */
export const PEDIDO_FILTERS = {
  search: { label: 'Búsqueda', schema: searchText, is: 'own' },
  ids: {
    label: 'Pedidos elegidos',
    schema: separated.pipe(z.array(id).max(MAX_PER_PAGE, `Como máximo ${MAX_PER_PAGE} pedidos a la vez`)),
    is: 'own',
  },
  estado: { label: 'Estado', schema: separated.pipe(z.array(estado).max(ESTADOS.length)), column: 'estado', is: 'among', totals: true },
  fecha_desde: { label: 'Desde', schema: day, column: 'fecha_pedido', is: 'since', totals: true },
  fecha_hasta: { label: 'Hasta', schema: day, column: 'fecha_pedido', is: 'until', totals: true },
  revendedor_id: { label: 'Revendedor', schema: id, column: 'revendedor_id', is: 'equal', totals: true },
  transportista_id: {
    label: 'Transportista',
    schema: z.union([id, z.literal('sin')]),
    column: 'transportista_id',
    is: 'equal',
    none: 'sin',
    totals: true,
  },
  empresa_transporte: { label: 'Empresa de transporte', schema: metodoEntrega, column: 'empresa_transporte', is: 'equal' },
  ciudad: {
    label: 'Ciudad',
    schema: z.string().max(PEDIDO_FIELDS.cliente_ciudad.max, 'Ciudad no válida'),
    column: 'cliente_ciudad',
    is: 'equal',
  },
  completado_desde: { label: 'Completados desde', schema: day, column: 'fecha_completado', is: 'since' },
  /** Open orders whose `fecha_estimada` is before today. */
  atrasado: { label: 'Atrasados', schema: yes, is: 'own' },
  /** How much of the price is paid; for those who see prices. A cancelled order owes nothing. */
  pagado: { label: 'Pago', schema: z.enum(PAGADO, 'Filtro no válido'), is: 'own' },
  /** Orders not fully paid whose customer reported a bank transfer. */
  transferencia: { label: 'Transferencias por confirmar', schema: yes, is: 'own' },
  /** Orders with a refund due, deleted ones included; for superadmins. */
  devolucion: { label: 'Devoluciones', schema: z.literal('pendiente', 'Filtro no válido'), is: 'own' },
  /** Orders of a customer and of those joined to it; for those who see customers. */
  cliente_id: { label: 'Cliente', schema: id, is: 'own' },
  /** Deleted orders instead of the others; nobody but superadmins finds any. */
  eliminados: { label: 'Eliminados', schema: yes, is: 'own' },
} as const satisfies Record<string, Filter>;

type Table = typeof PEDIDO_FILTERS;
export type FilterName = keyof Table;
/** Filters whose SQL is written by hand. */
export type OwnFilter = { [F in FilterName]: Table[F] extends { is: 'own' } ? F : never }[FilterName];
export const FILTER_NAMES = Object.keys(PEDIDO_FILTERS) as FilterName[];

const optionalsOf = (filters: Table) =>
  Object.fromEntries(FILTER_NAMES.map((name) => [name, filters[name].schema.optional()])) as {
    [F in FilterName]: z.ZodOptional<Table[F]['schema']>;
  };
export const pedidoFilters = optionalsOf(PEDIDO_FILTERS);
/** What a list is asked for, as the server reads it. */
export type PedidoFilters = { [F in FilterName]?: z.output<Table[F]['schema']> | undefined };

export const pedidosQuery = z.strictObject({
  ...pageQuery,
  ...pedidoFilters,
  /** `precio_total` is allowed only to those who see prices. */
  sort: z.enum(SORTS, 'Orden no válido').default('fecha_pedido'),
  dir: z.enum(['asc', 'desc'], 'Orden no válido').default('desc'),
  /** For filters that the daily totals do not know. */
  contar,
  /** The lines of each order too. */
  con: z.literal('lineas', 'Valor no válido').optional(),
});
