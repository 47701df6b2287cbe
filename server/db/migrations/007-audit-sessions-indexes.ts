import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Append-only for every role of the database: a row can only be hidden, once.
  `CREATE FUNCTION audit_solo_crece() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        IF OLD.hidden_at IS NULL AND to_jsonb(NEW) - 'hidden_at' = to_jsonb(OLD) - 'hidden_at' THEN RETURN NEW; END IF;
      END IF;
      RAISE EXCEPTION 'audit_logs is append-only';
    END $$`,
  'CREATE TRIGGER audit_solo_crece BEFORE UPDATE OR DELETE ON audit_logs FOR EACH ROW EXECUTE FUNCTION audit_solo_crece()',
  'CREATE TRIGGER audit_no_se_vacia BEFORE TRUNCATE ON audit_logs FOR EACH STATEMENT EXECUTE FUNCTION audit_solo_crece()',

  // Invalidates cached sessions (server/session/remember.ts).
  `CREATE FUNCTION sesiones_cambian() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_notify('enruta_sesiones', ''); RETURN NULL; END $$`,
  'CREATE TRIGGER sesiones_acaban AFTER DELETE ON sessions FOR EACH STATEMENT EXECUTE FUNCTION sesiones_cambian()',
  'CREATE TRIGGER personas_cambian AFTER UPDATE OR DELETE ON users FOR EACH STATEMENT EXECUTE FUNCTION sesiones_cambian()',
  'CREATE TRIGGER ajustes_cambian AFTER UPDATE ON settings FOR EACH STATEMENT EXECUTE FUNCTION sesiones_cambian()',

  // Index-only counts for these lists (bench/bench.ts).
  'CREATE INDEX pedidos_empresa ON pedidos (empresa_transporte, fecha_pedido DESC, id DESC) WHERE deleted_at IS NULL',
  'CREATE INDEX pedidos_pareja ON pedidos (revendedor_id, transportista_id, fecha_pedido DESC, id DESC) WHERE deleted_at IS NULL',
  `CREATE INDEX pedidos_entregas ON pedidos (fecha_completado) INCLUDE (transportista_id, transportista_nombre, fecha_pedido)
    WHERE deleted_at IS NULL AND fecha_completado IS NOT NULL`,
  'DROP INDEX pedidos_completado',
  `CREATE INDEX pagos_por_devolver ON pagos (pedido_id) WHERE estado IN ('tardio', 'duplicado', 'devolucion_pendiente')`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
