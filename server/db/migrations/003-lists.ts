import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `CREATE INDEX pedidos_abiertos ON pedidos (fecha_estimada) WHERE deleted_at IS NULL AND estado IN ('pendiente', 'asignado', 'en_proceso', 'en_ruta')`,
  'CREATE INDEX pedidos_numero ON pedidos (numero_orden, id) WHERE deleted_at IS NULL',
  'CREATE INDEX pedidos_cliente ON pedidos (cliente_nombre, id) WHERE deleted_at IS NULL',
  'CREATE INDEX pedidos_revendedor_nombre ON pedidos (revendedor_nombre, id) WHERE deleted_at IS NULL',
  'CREATE INDEX pedidos_transportista_nombre ON pedidos (transportista_nombre, id) WHERE deleted_at IS NULL',
  'CREATE INDEX pedidos_estado_orden ON pedidos (estado, id) WHERE deleted_at IS NULL',
  'CREATE INDEX pedidos_total ON pedidos (precio_total_cents, id) WHERE deleted_at IS NULL',
  'CREATE INDEX pedidos_fecha_completado ON pedidos (fecha_completado, id) WHERE deleted_at IS NULL',
  'CREATE INDEX audit_logs_entity ON audit_logs (entity_type, created_at DESC, id DESC) WHERE hidden_at IS NULL',
  'CREATE INDEX stock_movements_recent ON stock_movements (product_id, created_at) INCLUDE (unidades)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
