import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Amount returned of a payment that stays: the order costs less than was paid for it (decision 086).
  `ALTER TABLE pagos
    ADD COLUMN devuelto_cents bigint NOT NULL DEFAULT 0,
    ADD CONSTRAINT pagos_devuelto CHECK (devuelto_cents BETWEEN 0 AND importe_cents)`,
  `CREATE OR REPLACE FUNCTION pagos_pagado_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE cambio bigint := 0;
    BEGIN
      IF TG_OP <> 'INSERT' AND OLD.estado = 'pagado' THEN cambio := cambio - OLD.importe_cents + OLD.devuelto_cents; END IF;
      IF TG_OP <> 'DELETE' AND NEW.estado = 'pagado' THEN cambio := cambio + NEW.importe_cents - NEW.devuelto_cents; END IF;
      IF cambio <> 0 THEN
        UPDATE pedidos SET pagado_cents = pagado_cents + cambio WHERE id = coalesce(NEW.pedido_id, OLD.pedido_id);
      END IF;
      RETURN NULL;
    END $$`,
  // Since when more is paid than the order costs: the term of the refund begins then. Of older orders, with the upgrade.
  'ALTER TABLE pedidos ADD COLUMN sobra_at timestamptz',
  `UPDATE pedidos SET sobra_at = now() WHERE estado <> 'cancelado' AND pagado_cents > precio_total_cents`,
  `CREATE FUNCTION pedidos_sobra_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.sobra_at := CASE WHEN NEW.estado <> 'cancelado' AND NEW.pagado_cents > NEW.precio_total_cents THEN coalesce(OLD.sobra_at, now()) END;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER pedidos_sobra BEFORE UPDATE OF precio_total_cents, pagado_cents, estado ON pedidos FOR EACH ROW
    WHEN (NEW.sobra_at IS NOT NULL OR NEW.pagado_cents > NEW.precio_total_cents) EXECUTE FUNCTION pedidos_sobra_trigger()`,
  // What is paid beyond the total, and, of a delivery in parts, what is paid for undelivered goods. The index goes with its column. A
  // negative sin_entregar_cents is an overpayment refunded with the parts, before version 0.3.0.
  'ALTER TABLE pedidos DROP COLUMN por_reembolsar_cents',
  `ALTER TABLE pedidos
    ADD COLUMN por_reembolsar_cents bigint NOT NULL GENERATED ALWAYS AS (
      CASE WHEN estado = 'cancelado' THEN 0 ELSE
        greatest(0, pagado_cents - precio_total_cents + least(0, sin_entregar_cents))
        + CASE WHEN entrega_parcial AND estado = 'completado' THEN greatest(0, least(
            least(pagado_cents, precio_total_cents) - precio_total_cents + sin_entregar_cents,
            least(pagado_cents, precio_total_cents) - reembolsado_cents)) ELSE 0 END
      END) STORED`,
  'CREATE INDEX pedidos_por_reembolsar ON pedidos (id) WHERE por_reembolsar_cents > 0 AND deleted_at IS NULL',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
