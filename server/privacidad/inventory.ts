import { FIELDS, type PedidoFieldName, pedidoField } from '../../contract/pedidos.fields.ts';
import type { Tables } from '../db/schema.ts';

/*
 * Where personal data can be: every text or jsonb column of the database stands in one of these lists, or among those
 * without any (without.ts). Search, export, blocking and anonymising derive from them; a test compares them with the
 * database's own catalogue.
 */

/**
 * What becomes of a column when an order's personal data is taken out:
 * `nombre` becomes the fixed name, `vacio` empty, `nulo` null, `escrito` (what somebody wrote) a fixed note. `mascara`
 * keeps its text but for name and telephone, `aviso`, of texts that the program made of an order's fields, but for
 * whatever stood in them (`told`). `json` does to each string what the rule of its field says, and masks the others.
 * `queda` stays: it says nothing of a person by itself.
 */
export type Rule = 'nombre' | 'vacio' | 'nulo' | 'escrito' | 'mascara' | 'aviso' | 'json' | 'queda';
type Column = {
  rule: Rule;
  /** Masked wherever else it stands, when it has at least so many characters. */
  told?: number;
  /** Label in the file of a person's data; absent, it is not in it. */
  label?: string;
  /** Searched apart from the orders' own search text. */
  searched?: true;
};

export type Place = {
  table: keyof Tables;
  /** What superadmins read: «Comentarios». */
  label: string;
  /** Columns that identify a row, with their types. */
  key: Readonly<Record<string, 'uuid' | 'int' | 'text'>>;
  /** The order a row is about: an SQL expression of this type. */
  order: { sql: string; type: 'uuid' | 'text' };
  /** Which rows of the table, in SQL. */
  where?: string;
  columns: Readonly<Record<string, Column>>;
  /** Further columns in the file, with their labels; of instants, numbers and people of the program. */
  shown?: Readonly<Record<string, string>>;
};

/** The column of an order's field that is personal data, as the table of fields has it. */
function columnOf(name: PedidoFieldName): [string, Column][] {
  const { erased, searched } = pedidoField(name);
  if (typeof erased !== 'object') return [];
  return [[name, { ...erased, ...(!searched && erased.rule !== 'queda' && { searched: true }) }]];
}

const OF_ORDER = { sql: 'pedido_id', type: 'uuid' } as const;

/** Rows about one order each. The order itself comes first, for what is masked elsewhere is what stood in it. */
export const PLACES: readonly Place[] = [
  {
    table: 'pedidos',
    label: 'Pedidos',
    key: { id: 'uuid' },
    order: { sql: 'id', type: 'uuid' },
    columns: Object.fromEntries(FIELDS.flatMap(columnOf)),
  },
  {
    table: 'pedidos_historial',
    label: 'Historial',
    key: { id: 'uuid' },
    order: OF_ORDER,
    columns: {
      nota: { rule: 'nulo', told: 6, label: 'Nota', searched: true },
      cambios: { rule: 'json', label: 'Cambios', searched: true },
    },
    shown: { created_at: 'Fecha', accion: 'Acción', actor_nombre: 'Quién' },
  },
  {
    table: 'pedidos_lineas',
    label: 'Líneas',
    key: { pedido_id: 'uuid', numero: 'int' },
    order: OF_ORDER,
    columns: { producto: { rule: 'mascara', label: 'Producto' } },
    shown: { numero: 'Línea', cantidad: 'Cantidad', precio_unitario_cents: 'Precio unitario (€)', precio_total_cents: 'Total (€)' },
  },
  {
    table: 'comentarios',
    label: 'Comentarios',
    key: { id: 'uuid' },
    order: OF_ORDER,
    columns: { texto: { rule: 'escrito', label: 'Texto', searched: true } },
    shown: { created_at: 'Fecha', autor_nombre: 'Quién' },
  },
  {
    table: 'pagos',
    label: 'Pagos',
    key: { id: 'uuid' },
    order: OF_ORDER,
    columns: {
      referencia: { rule: 'mascara', label: 'Referencia', searched: true },
      nota: { rule: 'nulo', label: 'Nota', searched: true },
    },
    shown: { fecha: 'Fecha', proveedor: 'Medio', estado: 'Estado', importe_cents: 'Importe (€)' },
  },
  {
    table: 'payment_events',
    label: 'Avisos de pago',
    key: { id: 'uuid' },
    order: OF_ORDER,
    columns: { motivo: { rule: 'nulo', label: 'Motivo', searched: true } },
    shown: { received_at: 'Fecha', proveedor: 'Medio', externo_id: 'Referencia', importe_cents: 'Importe (€)', resultado: 'Resultado' },
  },
  {
    table: 'notifications',
    label: 'Avisos en el programa',
    key: { id: 'uuid' },
    order: OF_ORDER,
    columns: { texto: { rule: 'aviso', label: 'Texto' } },
    shown: { created_at: 'Fecha' },
  },
  {
    table: 'outbox',
    label: 'Mensajes a otros programas',
    key: { id: 'uuid' },
    where: "channel = 'webhook'",
    order: { sql: "payload->'data'->'pedido'->>'id'", type: 'text' },
    columns: { payload: { rule: 'json', label: 'Contenido' } },
    shown: { created_at: 'Fecha', sent_at: 'Enviado' },
  },
  {
    table: 'clientes',
    label: 'Fichas de cliente',
    key: { id: 'uuid' },
    // A customer has several orders, and goes with the last of them (server/clientes/forget.ts).
    order: { sql: '(SELECT p.id FROM pedidos p WHERE p.cliente_id = clientes.id ORDER BY p.fecha_pedido DESC LIMIT 1)', type: 'uuid' },
    columns: {
      nota: { rule: 'queda', label: 'Nota', searched: true },
      bloqueado_motivo: { rule: 'queda', label: 'Motivo del bloqueo', searched: true },
    },
    shown: { created_at: 'Fecha', avisar_antes: 'Avisar antes' },
  },
  {
    table: 'devoluciones',
    label: 'Devoluciones',
    key: { id: 'uuid' },
    order: OF_ORDER,
    columns: {
      nota: { rule: 'nulo', told: 6, label: 'Nota', searched: true },
      referencia: { rule: 'mascara', label: 'Referencia', searched: true },
      anulada_motivo: { rule: 'escrito', label: 'Motivo de la anulación', searched: true },
    },
    shown: { created_at: 'Fecha', actor_nombre: 'Quién', motivo: 'Motivo', reembolso_cents: 'Reembolso (€)' },
  },
  {
    table: 'devoluciones_lineas',
    label: 'Líneas devueltas',
    key: { devolucion_id: 'uuid', numero: 'int', destino: 'text' },
    order: { sql: '(SELECT d.pedido_id FROM devoluciones d WHERE d.id = devolucion_id)', type: 'uuid' },
    columns: { producto: { rule: 'mascara', label: 'Producto' } },
    shown: { cantidad: 'Cantidad' },
  },
  {
    table: 'ganancias',
    label: 'Ganancias',
    key: { id: 'uuid' },
    order: OF_ORDER,
    columns: { ciudad: { rule: 'nulo' } },
  },
  {
    table: 'stock_movements',
    label: 'Movimientos de stock',
    key: { id: 'uuid' },
    order: OF_ORDER,
    columns: { nota: { rule: 'mascara', label: 'Nota' } },
    shown: { created_at: 'Fecha', unidades: 'Unidades', motivo: 'Motivo' },
  },
  {
    table: 'audit_logs',
    label: 'Registro de actividad',
    key: { id: 'uuid' },
    where: "entity_type = 'pedido'",
    order: { sql: 'entity_id', type: 'text' },
    columns: {
      description: { rule: 'mascara', label: 'Descripción' },
      antes: { rule: 'json', label: 'Antes' },
      despues: { rule: 'json', label: 'Después' },
    },
    shown: { created_at: 'Fecha', actor_nombre: 'Quién' },
  },
  {
    table: 'audit_logs',
    label: 'Registro de pagos revisados',
    key: { id: 'uuid' },
    where: "entity_type = 'pago'",
    order: { sql: '(SELECT e.pedido_id::text FROM payment_events e WHERE e.id::text = entity_id)', type: 'text' },
    columns: { description: { rule: 'mascara', label: 'Descripción' }, antes: { rule: 'json' }, despues: { rule: 'json' } },
    shown: { created_at: 'Fecha', actor_nombre: 'Quién' },
  },
];

/** Rows that name an order only in their text, as every notice does: «ORD-2026000123 (Ana Pérez)». */
type ByText = Omit<Place, 'order'>;
export const NAMED_IN: readonly ByText[] = [
  {
    table: 'notifications',
    label: 'Avisos en el programa',
    key: { id: 'uuid' },
    where: 'pedido_id IS NULL',
    columns: { texto: { rule: 'aviso' } },
  },
  { table: 'outbox', label: 'Correos', key: { id: 'uuid' }, where: "channel = 'correo'", columns: { payload: { rule: 'json' } } },
];

/** Rows about no order, in which somebody may have written a customer's name or telephone: what they searched for, above all. */
export const LOOSE: readonly ByText[] = [
  {
    table: 'vistas',
    label: 'Vistas guardadas',
    key: { id: 'uuid' },
    columns: { nombre: { rule: 'mascara', searched: true }, consulta: { rule: 'json', searched: true } },
  },
  {
    table: 'exports',
    label: 'Exportaciones',
    key: { id: 'uuid' },
    columns: { peticion: { rule: 'json', searched: true } },
  },
  {
    table: 'ganancias',
    label: 'Ajustes de ganancias',
    key: { id: 'uuid' },
    where: "concepto = 'ajuste'",
    columns: { nota: { rule: 'mascara', searched: true } },
  },
  {
    table: 'stock_movements',
    label: 'Ajustes de stock',
    key: { id: 'uuid' },
    where: 'pedido_id IS NULL',
    columns: { nota: { rule: 'mascara', searched: true } },
  },
  {
    table: 'audit_logs',
    label: 'Registro de actividad',
    key: { id: 'uuid' },
    where: "entity_type IN ('export', 'vista', 'audit', 'liquidacion', 'product')",
    columns: {
      description: { rule: 'mascara', searched: true },
      antes: { rule: 'json', searched: true },
      despues: { rule: 'json', searched: true },
    },
  },
];

const ORDER_COLUMNS: Place['columns'] = PLACES[0]?.columns ?? {};
/** What becomes of an order's field, by its name, and of what is typed about it. */
export const ruleOfField = (field: string): Rule | undefined => ORDER_COLUMNS[field]?.rule ?? TYPED[field];
/** From how many characters on a field's text is masked elsewhere. */
export const toldFrom = (field: string): number | undefined => ORDER_COLUMNS[field]?.told;

// Keys of what is kept as JSON that hold what somebody typed about an order.
const TYPED: Readonly<Record<string, Rule>> = { nota: 'nulo' };
