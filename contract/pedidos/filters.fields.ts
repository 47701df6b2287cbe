import { METADATA } from '../kit/fields.ts';
import type { Audience } from './field.ts';
import { type PedidoFieldName, pedidoField } from './fields.ts';

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
  'updated_at',
  'situacion',
] as const;

/** `falta`: something is due, even if a part is paid. */
export const PAGADO = ['si', 'falta', 'parte', 'no'] as const;

/** Places of an order in the day (`day.ts`); `incidencia` finds those that wait for an answer. */
export const HOY = ['toca', 'calle', 'hecho'] as const;

export type Filter = {
  label: string;
  /** Covered by the daily totals: a list with only such filters needs no count query. */
  totals?: true;
} & (
  | {
      column: PedidoFieldName;
      /** `since` and `until` a business day, `instant` that instant or later. */
      is: 'equal' | 'among' | 'since' | 'until' | 'instant';
      none?: string;
    }
  /** SQL written by hand in `OWN` of server/pedidos/lectura/filter.ts; `seen`: audience of the information that the filter reveals. */
  | { is: 'own'; seen?: Audience }
);

export const PEDIDO_FILTERS = {
  search: { label: 'Búsqueda', is: 'own' },
  numero_orden: { label: 'Nº de pedido', column: 'numero_orden', is: 'equal' },
  referencia_externa: { label: 'Referencia externa', column: 'referencia_externa', is: 'equal' },
  tienda: { label: 'Tienda en línea', column: 'tienda', is: 'equal' },
  ids: { label: 'Pedidos elegidos', is: 'own' },
  estado: { label: 'Estado', column: 'estado', is: 'among', totals: true },
  fecha_desde: { label: 'Desde', column: 'fecha_pedido', is: 'since', totals: true },
  fecha_hasta: { label: 'Hasta', column: 'fecha_pedido', is: 'until', totals: true },
  revendedor_id: { label: 'Revendedor', column: 'revendedor_id', is: 'equal', totals: true },
  transportista_id: { label: 'Transportista', column: 'transportista_id', is: 'equal', none: 'sin', totals: true },
  empresa_transporte: { label: 'Empresa de transporte', column: 'empresa_transporte', is: 'equal' },
  ciudad: { label: 'Ciudad', column: 'cliente_ciudad', is: 'equal' },
  completado_desde: { label: 'Completados desde', column: 'fecha_completado', is: 'since' },
  completado_hasta: { label: 'Completados hasta', column: 'fecha_completado', is: 'until' },
  /** From an instant on, that instant included: rows of one transaction share it. */
  modificado_desde: { label: 'Modificados desde', column: 'updated_at', is: 'instant' },
  /** Any situation of existing orders; requires permission to see what it says. */
  situacion: { label: 'Qué pasa', is: 'own' },
  atrasado: { label: 'Atrasados', is: 'own' },
  hoy: { label: 'Hoy', is: 'own' },
  /** Orders that wait for an answer after failed attempts. */
  incidencia: { label: 'Por decidir', is: 'own', seen: 'delivery' },
  en_empresa: { label: 'Con una empresa de transporte', is: 'own', seen: 'delivery' },
  /** All orders of a batch, in any estado; requires permission for batches. */
  envio_id: { label: 'Envío', is: 'own' },
  /** Requires permission to see prices; a cancelled order owes nothing. */
  pagado: { label: 'Pago', is: 'own', seen: 'prices' },
  /** Orders not fully paid, with a transfer reported by the customer; requires permission to see prices. */
  transferencia: { label: 'Transferencias por confirmar', is: 'own', seen: 'prices' },
  /** Orders with a refund due, and deleted orders with a payment to refund; requires permission to manage payments. */
  devolucion: { label: 'Devoluciones', is: 'own' },
  /** Includes joined customers; requires permission to see customers. */
  cliente_id: { label: 'Cliente', is: 'own' },
  /** A key and value of the metadata: `woo_id:123`. */
  metadata: { label: METADATA.label, is: 'own', seen: 'programs' },
  /** Deleted orders instead of existing ones; empty except for superadmins. */
  eliminados: { label: 'Eliminados', is: 'own' },
} as const satisfies Record<string, Filter>;

export type Table = typeof PEDIDO_FILTERS;

export type FilterName = keyof Table;

export type OwnFilter = { [F in FilterName]: Table[F] extends { is: 'own' } ? F : never }[FilterName];

export const FILTER_NAMES = Object.keys(PEDIDO_FILTERS) as FilterName[];

/** Returns the audience of a filter, from its column if there is one. A search covers only visible text. */
export function filterAudience(name: FilterName): Audience {
  const filter: Filter = PEDIDO_FILTERS[name];
  return 'column' in filter ? pedidoField(filter.column).seen : (filter.seen ?? 'order');
}
