import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Carrier who lost the order in this step, and may see who did it.
  'ALTER TABLE pedidos_historial ADD COLUMN retirado_a uuid',
  'CREATE INDEX pedidos_eliminados ON pedidos (fecha_pedido DESC, id DESC) WHERE deleted_at IS NOT NULL',
  `CREATE INDEX audit_logs_texto ON audit_logs
    USING gin (normaliza(' ' || description || ' ' || actor_nombre) gin_trgm_ops) WHERE hidden_at IS NULL`,
  // Last sign-in of a person, hidden rows included.
  `CREATE INDEX audit_logs_accesos ON audit_logs (entity_id, created_at DESC) WHERE action = 'login'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
