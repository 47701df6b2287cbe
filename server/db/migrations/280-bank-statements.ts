import { type Kysely, sql } from 'kysely';

const SUM = `CREATE FUNCTION movimiento_resto(movimiento uuid) RETURNS void LANGUAGE sql AS $$
    UPDATE movimientos m SET resto_cents = m.importe_cents + m.comision_cents
      - (SELECT coalesce(sum(importe_cents), 0) FROM pagos WHERE movimiento_id = m.id AND estado <> 'anulado')
      - (SELECT coalesce(sum(recibido_cents), 0) FROM remesas WHERE movimiento_id = m.id AND anulada_at IS NULL)
      - (SELECT coalesce(sum(coalesce(recibido_cents, contado_cents)), 0) FROM cajas WHERE movimiento_id = m.id)
    WHERE m.id = movimiento
  $$`;

const follow = (table: string, columns: string) =>
  `CREATE TRIGGER ${table}_movimiento AFTER INSERT OR DELETE OR UPDATE OF movimiento_id, ${columns} ON ${table}
    FOR EACH ROW EXECUTE FUNCTION movimiento_trigger()`;

const STATEMENTS = [
  // A bank statement that was read, and its credits that belong to an order, or wait for somebody to say where.
  `CREATE TABLE extractos (
    id uuid PRIMARY KEY,
    fichero text NOT NULL CHECK (char_length(fichero) <= 200),
    leido_por_nombre text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    deshecho_at timestamptz
  )`,
  'CREATE INDEX extractos_recientes ON extractos (created_at DESC, id) WHERE deshecho_at IS NULL',
  `CREATE TABLE movimientos (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    extracto_id uuid NOT NULL REFERENCES extractos,
    cuenta text NOT NULL CHECK (char_length(cuenta) <= 40),
    fecha date NOT NULL,
    importe_cents bigint NOT NULL CHECK (importe_cents BETWEEN -1000000000000 AND 1000000000000 AND importe_cents <> 0),
    texto text NOT NULL CHECK (char_length(texto) <= 500),
    formato text NOT NULL CHECK (formato IN ('n43', 'camt', 'hoja')),
    huella text NOT NULL,
    orden int NOT NULL,
    comision_cents bigint NOT NULL DEFAULT 0 CHECK (comision_cents >= 0),
    resto_cents bigint NOT NULL,
    resolucion text CHECK (resolucion IN ('devolver', 'devuelto', 'visto')),
    motivo text CHECK (char_length(motivo) <= 300),
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (cuenta, fecha, importe_cents, formato, huella, orden)
  )`,
  'CREATE INDEX movimientos_extracto ON movimientos (extracto_id)',
  `CREATE INDEX movimientos_esperan ON movimientos (fecha, id) WHERE resto_cents <> 0 AND (resolucion IS NULL OR resolucion = 'devolver')`,
  // del_banco: the statement booked it; undoing the statement then takes it back.
  'ALTER TABLE pagos ADD COLUMN movimiento_id uuid REFERENCES movimientos, ADD COLUMN del_banco boolean NOT NULL DEFAULT false',
  'ALTER TABLE remesas ADD COLUMN movimiento_id uuid REFERENCES movimientos',
  'ALTER TABLE cajas ADD COLUMN movimiento_id uuid REFERENCES movimientos, ADD COLUMN del_banco boolean NOT NULL DEFAULT false',
  'CREATE INDEX pagos_movimiento ON pagos (movimiento_id) WHERE movimiento_id IS NOT NULL',
  'CREATE INDEX remesas_movimiento ON remesas (movimiento_id) WHERE movimiento_id IS NOT NULL',
  'CREATE INDEX cajas_movimiento ON cajas (movimiento_id) WHERE movimiento_id IS NOT NULL',
  SUM,
  `CREATE FUNCTION movimiento_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' AND OLD.movimiento_id IS NOT NULL THEN PERFORM movimiento_resto(OLD.movimiento_id); END IF;
      IF TG_OP <> 'DELETE' AND NEW.movimiento_id IS NOT NULL THEN PERFORM movimiento_resto(NEW.movimiento_id); END IF;
      RETURN NULL;
    END $$`,
  // As before, but that a statement says which credit brought a hand-over, and takes back what it confirmed itself.
  `CREATE OR REPLACE FUNCTION cajas_cerradas() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE free text[] := '{motivo,confirmada_motivo,movimiento_id,del_banco}';
    BEGIN
      IF TG_OP = 'UPDATE' AND (OLD.confirmada_at IS NULL OR OLD.del_banco OR to_jsonb(NEW) - free = to_jsonb(OLD) - free)
        AND (NEW.transportista_id, NEW.dia, NEW.ronda, NEW.esperado_cents, NEW.contado_cents, NEW.entregada_at)
          = (OLD.transportista_id, OLD.dia, OLD.ronda, OLD.esperado_cents, OLD.contado_cents, OLD.entregada_at) THEN RETURN NEW; END IF;
      RAISE EXCEPTION 'a cash desk handed over does not change';
    END $$`,
  follow('pagos', 'estado, importe_cents'),
  follow('remesas', 'anulada_at'),
  follow('cajas', 'recibido_cents'),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
