import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Collected by a carrier; cash counts to the cash desk of a business day.
  `ALTER TABLE pagos
    ADD COLUMN transportista_id uuid REFERENCES users,
    ADD COLUMN caja_dia date,
    ADD CHECK ((caja_dia IS NOT NULL) = (transportista_id IS NOT NULL AND proveedor = 'efectivo'))`,
  'CREATE INDEX pagos_caja ON pagos (transportista_id, caja_dia) INCLUDE (importe_cents, estado) WHERE caja_dia IS NOT NULL',
  // A row is a day handed over; cash of a day without one is still in the carrier's hands.
  `CREATE TABLE cajas (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    transportista_id uuid NOT NULL REFERENCES users,
    transportista_nombre text NOT NULL,
    dia date NOT NULL,
    esperado_cents bigint NOT NULL CHECK (esperado_cents > 0),
    contado_cents bigint NOT NULL CHECK (contado_cents >= 0),
    motivo text,
    entregada_at timestamptz NOT NULL DEFAULT now(),
    recibido_cents bigint CHECK (recibido_cents >= 0),
    confirmada_motivo text,
    confirmada_at timestamptz,
    confirmada_por uuid REFERENCES users,
    confirmada_por_nombre text,
    version int NOT NULL DEFAULT 1,
    UNIQUE (transportista_id, dia),
    CHECK (contado_cents = esperado_cents OR motivo IS NOT NULL),
    CHECK ((confirmada_at IS NULL) = (recibido_cents IS NULL) AND (confirmada_at IS NULL) = (confirmada_por_nombre IS NULL)),
    CHECK (recibido_cents IS NULL OR recibido_cents = contado_cents OR confirmada_motivo IS NOT NULL)
  )`,
  'CREATE INDEX cajas_por_confirmar ON cajas (dia, transportista_id) WHERE confirmada_at IS NULL',
  `CREATE FUNCTION cajas_cerradas() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- Words may be redacted; amounts and days of what was handed over never change.
      IF TG_OP = 'UPDATE' AND (OLD.confirmada_at IS NULL OR to_jsonb(NEW) - '{motivo,confirmada_motivo}'::text[] = to_jsonb(OLD) - '{motivo,confirmada_motivo}'::text[])
        AND (NEW.transportista_id, NEW.dia, NEW.esperado_cents, NEW.contado_cents, NEW.entregada_at)
          = (OLD.transportista_id, OLD.dia, OLD.esperado_cents, OLD.contado_cents, OLD.entregada_at) THEN RETURN NEW; END IF;
      RAISE EXCEPTION 'a cash desk handed over does not change';
    END $$`,
  'CREATE TRIGGER cajas_cerradas BEFORE UPDATE OR DELETE ON cajas FOR EACH ROW EXECUTE FUNCTION cajas_cerradas()',
  `CREATE FUNCTION pagos_en_caja() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND NEW.estado <> 'anulado' AND (NEW.importe_cents, NEW.transportista_id, NEW.caja_dia)
        IS NOT DISTINCT FROM (OLD.importe_cents, OLD.transportista_id, OLD.caja_dia) THEN RETURN NEW; END IF;
      IF EXISTS (SELECT 1 FROM cajas c WHERE (c.transportista_id, c.dia) IN ((NEW.transportista_id, NEW.caja_dia), (OLD.transportista_id, OLD.caja_dia)))
        THEN RAISE EXCEPTION 'the cash of that day is handed over'; END IF;
      RETURN coalesce(NEW, OLD);
    END $$`,
  `CREATE TRIGGER pagos_en_caja BEFORE INSERT OR UPDATE OR DELETE ON pagos FOR EACH ROW EXECUTE FUNCTION pagos_en_caja()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
