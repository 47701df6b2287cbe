import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'DROP INDEX pedidos_entregas',
  'DROP INDEX pedidos_fecha_completado',
  `CREATE INDEX pedidos_fecha_completado ON pedidos (fecha_completado, id)
    INCLUDE (transportista_id, transportista_nombre, fecha_pedido) WHERE deleted_at IS NULL`,
  // Few rows; without it the query scans all unpaid orders.
  'CREATE INDEX pedidos_transferencia ON pedidos (fecha_pedido, id) WHERE transferencia_avisada_at IS NOT NULL AND deleted_at IS NULL',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
