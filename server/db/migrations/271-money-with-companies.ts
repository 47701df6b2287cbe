import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Money that a delivery company collected at a door: with the company until a remittance brings it.
  `CREATE TABLE remesas (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    empresa text NOT NULL CHECK (char_length(empresa) <= 80),
    fecha date NOT NULL,
    recibido_cents bigint NOT NULL CHECK (recibido_cents BETWEEN 0 AND 1000000000000),
    comision_cents bigint NOT NULL DEFAULT 0 CHECK (comision_cents BETWEEN 0 AND 1000000000000),
    referencia text CHECK (char_length(referencia) <= 120),
    creada_por_nombre text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    anulada_at timestamptz
  )`,
  'CREATE INDEX remesas_recientes ON remesas (created_at DESC, id) WHERE anulada_at IS NULL',
  `ALTER TABLE pagos
    ADD COLUMN empresa text CHECK ((proveedor = 'empresa') = (empresa IS NOT NULL)),
    ADD COLUMN remesa_id uuid REFERENCES remesas CHECK (remesa_id IS NULL OR empresa IS NOT NULL)`,
  `CREATE INDEX pagos_con_empresa ON pagos (empresa, fecha, id) WHERE empresa IS NOT NULL AND remesa_id IS NULL AND estado <> 'anulado'`,
  'CREATE INDEX pagos_remesa ON pagos (remesa_id) WHERE remesa_id IS NOT NULL',
  `ALTER TABLE pedidos ADD COLUMN cobro_empresa_cents bigint NOT NULL DEFAULT 0, ADD COLUMN cobro_en text`,
  `CREATE FUNCTION pagos_empresa_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF coalesce(NEW.empresa, OLD.empresa) IS NOT NULL THEN
        UPDATE pedidos p SET cobro_empresa_cents = g.cents, cobro_en = g.empresa FROM (
          SELECT coalesce(sum(importe_cents), 0) AS cents, min(empresa) AS empresa FROM pagos
          WHERE pedido_id = coalesce(NEW.pedido_id, OLD.pedido_id) AND empresa IS NOT NULL AND remesa_id IS NULL AND estado <> 'anulado') g
        WHERE p.id = coalesce(NEW.pedido_id, OLD.pedido_id);
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER pagos_empresa AFTER INSERT OR DELETE OR UPDATE OF estado, importe_cents, remesa_id ON pagos
    FOR EACH ROW EXECUTE FUNCTION pagos_empresa_trigger()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
