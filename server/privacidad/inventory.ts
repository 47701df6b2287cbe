import { METADATA } from '../../contract/kit/fields.ts';
import { FIELDS, type PedidoFieldName, pedidoField } from '../../contract/pedidos/fields.ts';
import type { Column, Place, Rule } from './rules.ts';

/* Every text or jsonb column is listed here or in test/without.ts, as a test checks. Search, export, blocking and anonymising derive from it. */

function columnOf(name: PedidoFieldName): [string, Column][] {
  const { erased, searched, kind } = pedidoField(name);
  if (typeof erased !== 'object') return [];
  const isSearched = !searched && erased.rule !== 'queda';
  return [[name, { ...erased, ...(isSearched && { searched: true }), ...(kind === 'metadata' && { isJson: true }) }]];
}

const BY_ID = { id: 'uuid' } as const;
const OF_ORDER = { sql: 'pedido_id', type: 'uuid' } as const;
type Row = Omit<Place, 'key' | 'order'> & Partial<Place>;

const ROWS: readonly Row[] = [
  { table: 'pedidos', label: 'Pedidos', order: { sql: 'id', type: 'uuid' }, columns: Object.fromEntries(FIELDS.flatMap(columnOf)) },
  {
    table: 'pedidos_historial',
    label: 'Historial',
    columns: {
      nota: { rule: 'nulo', maskElsewhere: 6, label: 'Nota', searched: true },
      cambios: { rule: 'json', label: 'Cambios', searched: true },
      antes: { rule: 'json' },
    },
    shown: { created_at: 'Fecha', accion: 'Acción', actor_nombre: 'Quién' },
  },
  {
    table: 'pedidos_lineas',
    label: 'Líneas',
    key: { pedido_id: 'uuid', numero: 'int' },
    columns: { producto: { rule: 'mascara', label: 'Producto' } },
    shown: { numero: 'Línea', cantidad: 'Cantidad', precio_unitario_cents: 'Precio unitario (€)', precio_total_cents: 'Total (€)' },
  },
  {
    table: 'intentos',
    label: 'Intentos de entrega',
    columns: { motivo: { rule: 'vacio', label: 'Motivo', searched: true } },
    shown: { created_at: 'Fecha', transportista_nombre: 'Quién' },
  },
  {
    table: 'comentarios',
    label: 'Comentarios',
    columns: { texto: { rule: 'escrito', label: 'Texto', searched: true } },
    shown: { created_at: 'Fecha', autor_nombre: 'Quién' },
  },
  {
    table: 'entregas',
    label: 'Entregas',
    columns: { receptor_nombre: { rule: 'nulo', maskElsewhere: 3, label: 'Quién lo recibió', searched: true } },
    shown: { entregada_at: 'Fecha', forma_entrega: 'Cómo' },
  },
  {
    table: 'envios_pedidos',
    label: 'Envíos de otras empresas',
    key: { envio_id: 'uuid', pedido_id: 'uuid' },
    // Reveals the recipient, like the order's own tracking number.
    columns: { seguimiento: { rule: 'nulo', maskElsewhere: 6, label: 'Número de seguimiento', searched: true } },
    shown: { resultado: 'Resultado' },
  },
  {
    table: 'respuestas_pedidos',
    label: 'Respuestas de otras empresas',
    key: { respuesta_id: 'uuid', pedido_id: 'uuid' },
    order: OF_ORDER,
    columns: { hecho: { rule: 'nulo', isJson: true } },
    shown: { resultado: 'Resultado' },
  },
  {
    table: 'pagos',
    label: 'Pagos',
    columns: {
      referencia: { rule: 'mascara', label: 'Referencia', searched: true },
      nota: { rule: 'nulo', label: 'Nota', searched: true },
    },
    shown: { fecha: 'Fecha', proveedor: 'Medio', estado: 'Estado', importe_cents: 'Importe (€)' },
  },
  {
    table: 'movimientos',
    label: 'Extracto del banco',
    order: { sql: '(SELECT g.pedido_id FROM pagos g WHERE g.movimiento_id = movimientos.id ORDER BY g.created_at LIMIT 1)', type: 'uuid' },
    columns: { texto: { rule: 'vacio', label: 'Concepto', searched: true }, motivo: { rule: 'nulo', label: 'Motivo', searched: true } },
    shown: { fecha: 'Fecha', importe_cents: 'Importe (€)' },
  },
  {
    // What still waits for a person; of an order that has none here, it is found and erased by itself (server/tienda/office/personal.ts).
    table: 'tienda_pedidos',
    label: 'Tienda en línea',
    where: 'pedido_id IS NOT NULL',
    columns: {
      contenido: { rule: 'nulo', label: 'Lo que espera', searched: true, isJson: true },
      correcciones: { rule: 'nulo', isJson: true },
      acordado: { rule: 'nulo', label: 'Lo acordado', searched: true, isJson: true },
    },
    shown: { recibido_at: 'Fecha', numero: 'Número' },
  },
  {
    table: 'payment_events',
    label: 'Avisos de pago',
    columns: { motivo: { rule: 'nulo', label: 'Motivo', searched: true } },
    shown: { received_at: 'Fecha', proveedor: 'Medio', externo_id: 'Referencia', importe_cents: 'Importe (€)', resultado: 'Resultado' },
  },
  {
    table: 'notifications',
    label: 'Avisos en el programa',
    columns: { texto: { rule: 'aviso', label: 'Texto' } },
    shown: { created_at: 'Fecha' },
  },
  {
    table: 'outbox',
    label: 'Mensajes a otros programas',
    where: "channel = 'webhook'",
    order: { sql: "payload->'data'->'pedido'->>'id'", type: 'text' },
    columns: { payload: { rule: 'json', label: 'Contenido' } },
    shown: { created_at: 'Fecha', sent_at: 'Enviado' },
  },
  {
    table: 'events',
    label: 'Eventos para otros programas',
    where: 'content IS NOT NULL',
    order: { sql: "content->'pedido'->>'id'", type: 'text' },
    columns: { content: { rule: 'json', label: 'Contenido' } },
    shown: { created_at: 'Fecha', tipo: 'Evento' },
  },
  {
    table: 'clientes',
    label: 'Fichas de cliente',
    // A customer is deleted with their last order (server/clientes/redact.ts).
    order: { sql: '(SELECT p.id FROM pedidos p WHERE p.cliente_id = clientes.id ORDER BY p.fecha_pedido DESC LIMIT 1)', type: 'uuid' },
    columns: {
      nota: { rule: 'queda', label: 'Nota', searched: true },
      bloqueado_motivo: { rule: 'queda', label: 'Motivo del bloqueo', searched: true },
      metadata: { rule: 'nulo', label: METADATA.label, searched: true, isJson: true },
    },
    shown: { created_at: 'Fecha', avisar_antes: 'Avisar antes' },
  },
  {
    table: 'devoluciones',
    label: 'Devoluciones',
    columns: {
      nota: { rule: 'nulo', maskElsewhere: 6, label: 'Nota', searched: true },
      referencia: { rule: 'mascara', label: 'Referencia', searched: true },
      anulada_motivo: { rule: 'escrito', label: 'Motivo de la anulación', searched: true },
      retenido_motivo: { rule: 'escrito', label: 'Motivo de lo que no se reembolsa', searched: true },
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
  // Data for invoices, kept for the terms of tax and trade law (LGT art. 66, Código de Comercio art. 30), which override erasure (RGPD art. 17.3.b).
  {
    table: 'facturables',
    label: 'Para facturar',
    key: { seq: 'int' },
    columns: { cliente: { rule: 'queda', label: 'Cliente' }, nif: { rule: 'queda', label: 'NIF' } },
    shown: { fecha: 'Fecha', total_cents: 'Total (€)' },
  },
  // The law asks for name, tax number and address of an invoice's recipient (RD 1619/2012, art. 6).
  {
    table: 'facturables_documentos',
    label: 'Facturas preparadas',
    key: { documento: 'text' },
    columns: {
      cliente: { rule: 'queda', label: 'Cliente' },
      nif: { rule: 'queda', label: 'NIF' },
      direccion: { rule: 'queda', label: 'Dirección' },
      codigo_postal: { rule: 'queda', label: 'Código postal' },
      ciudad: { rule: 'queda', label: 'Ciudad' },
      provincia: { rule: 'queda', label: 'Provincia' },
      pais: { rule: 'queda', label: 'País' },
    },
    shown: { fecha: 'Fecha' },
  },
  { table: 'ganancias', label: 'Ganancias', columns: { ciudad: { rule: 'nulo' } } },
  {
    table: 'stock_movements',
    label: 'Movimientos de stock',
    columns: { nota: { rule: 'mascara', label: 'Nota' } },
    shown: { created_at: 'Fecha', unidades: 'Unidades', motivo: 'Motivo' },
  },
  {
    table: 'audit_logs',
    label: 'Registro de actividad',
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
    where: "entity_type = 'pago'",
    order: { sql: '(SELECT e.pedido_id::text FROM payment_events e WHERE e.id::text = entity_id)', type: 'text' },
    columns: { description: { rule: 'mascara', label: 'Descripción' }, antes: { rule: 'json' }, despues: { rule: 'json' } },
    shown: { created_at: 'Fecha', actor_nombre: 'Quién' },
  },
];

/** Tables with rows about one order. Orders come first, because their values are masked in the other tables. */
export const PLACES: readonly Place[] = ROWS.map((row) => ({ key: BY_ID, order: OF_ORDER, ...row }));

type ByText = Omit<Place, 'order'>;
const byText = (rows: readonly Omit<ByText, 'key'>[]): readonly ByText[] => rows.map((row) => ({ key: BY_ID, ...row }));

/** Rows that name an order only in text: «ORD-2026000123 (Ana Pérez)». */
export const NAMED_IN = byText([
  { table: 'notifications', label: 'Avisos en el programa', where: 'pedido_id IS NULL', columns: { texto: { rule: 'aviso' } } },
  { table: 'outbox', label: 'Correos', where: "channel = 'correo'", columns: { payload: { rule: 'json' } } },
]);

/** Rows without an order where people can type names or telephones, mostly searches. */
export const LOOSE = byText([
  {
    table: 'vistas',
    label: 'Vistas guardadas',
    columns: { nombre: { rule: 'mascara', searched: true }, consulta: { rule: 'json', searched: true } },
  },
  { table: 'formatos', label: 'Respuestas sobre ficheros', columns: { respuestas: { rule: 'json', searched: true } } },
  { table: 'exports', label: 'Exportaciones', columns: { peticion: { rule: 'json', searched: true } } },
  {
    table: 'ganancias',
    label: 'Ajustes de ganancias',
    where: "concepto = 'ajuste'",
    columns: { nota: { rule: 'mascara', searched: true } },
  },
  {
    // Rows that name an order by its number are dropped too (server/envios/redact.ts).
    table: 'envios',
    label: 'Envíos de otras empresas',
    columns: { sin_pareja: { rule: 'json', searched: true } },
  },
  {
    table: 'cajas',
    label: 'Cajas de transportistas',
    columns: { motivo: { rule: 'mascara', searched: true }, confirmada_motivo: { rule: 'mascara', searched: true } },
  },
  {
    table: 'stock_movements',
    label: 'Ajustes de stock',
    where: 'pedido_id IS NULL',
    columns: { nota: { rule: 'mascara', searched: true } },
  },
  {
    table: 'audit_logs',
    label: 'Registro de actividad',
    where: "entity_type IN ('export', 'vista', 'audit', 'liquidacion', 'product')",
    columns: {
      description: { rule: 'mascara', searched: true },
      antes: { rule: 'json', searched: true },
      despues: { rule: 'json', searched: true },
    },
  },
]);

// equivalent (PLACES[0]?.columns): the order is the first place
const ORDER_COLUMNS: Place['columns'] = PLACES[0]?.columns ?? {};
/** Returns the rule of an order's field, or of a JSON key with typed text. */
export const ruleOfField = (field: string): Rule | undefined => ORDER_COLUMNS[field]?.rule ?? TYPED[field];
/** Returns the length from which a field's value is masked in other columns too; undefined if never. */
export const maskElsewhereFrom = (field: string): number | undefined => ORDER_COLUMNS[field]?.maskElsewhere;

// JSON keys with typed text about an order.
const TYPED: Readonly<Record<string, Rule>> = { nota: 'nulo' };
