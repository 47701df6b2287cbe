import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // A day has as many rounds as hand-overs: what is collected after one belongs to the day's next round.
  'ALTER TABLE pagos ADD COLUMN caja_ronda int NOT NULL DEFAULT 1 CHECK (caja_ronda > 0)',
  `ALTER TABLE cajas
    ADD COLUMN ronda int NOT NULL DEFAULT 1 CHECK (ronda > 0),
    DROP CONSTRAINT cajas_transportista_id_dia_key,
    ADD CONSTRAINT cajas_ronda UNIQUE (transportista_id, dia, ronda)`,
  'DROP INDEX pagos_caja',
  `CREATE INDEX pagos_caja ON pagos (transportista_id, caja_dia, caja_ronda) INCLUDE (importe_cents, estado) WHERE caja_dia IS NOT NULL`,
  `CREATE OR REPLACE FUNCTION cajas_cerradas() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- Words may be redacted; amounts and days of what was handed over never change.
      IF TG_OP = 'UPDATE' AND (OLD.confirmada_at IS NULL OR to_jsonb(NEW) - '{motivo,confirmada_motivo}'::text[] = to_jsonb(OLD) - '{motivo,confirmada_motivo}'::text[])
        AND (NEW.transportista_id, NEW.dia, NEW.ronda, NEW.esperado_cents, NEW.contado_cents, NEW.entregada_at)
          = (OLD.transportista_id, OLD.dia, OLD.ronda, OLD.esperado_cents, OLD.contado_cents, OLD.entregada_at) THEN RETURN NEW; END IF;
      RAISE EXCEPTION 'a cash desk handed over does not change';
    END $$`,
  `CREATE OR REPLACE FUNCTION pagos_en_caja() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND NEW.estado <> 'anulado' AND (NEW.importe_cents, NEW.transportista_id, NEW.caja_dia, NEW.caja_ronda)
        IS NOT DISTINCT FROM (OLD.importe_cents, OLD.transportista_id, OLD.caja_dia, OLD.caja_ronda) THEN RETURN NEW; END IF;
      IF EXISTS (SELECT 1 FROM cajas c WHERE (c.transportista_id, c.dia, c.ronda)
        IN ((NEW.transportista_id, NEW.caja_dia, NEW.caja_ronda), (OLD.transportista_id, OLD.caja_dia, OLD.caja_ronda)))
        THEN RAISE EXCEPTION 'the cash of that round is handed over'; END IF;
      RETURN coalesce(NEW, OLD);
    END $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
