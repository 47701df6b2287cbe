import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Day the money arrived, and deadline of a payment begun at a provider.
  'ALTER TABLE pagos ADD COLUMN fecha date, ADD COLUMN vence_at timestamptz',
  'UPDATE pagos SET fecha = dia_negocio(created_at)',
  'ALTER TABLE pagos ALTER COLUMN fecha SET NOT NULL, ALTER COLUMN fecha SET DEFAULT dia_negocio(now())',
  `ALTER TABLE pagos DROP CONSTRAINT pagos_estado_check, ADD CONSTRAINT pagos_estado_check
    CHECK (estado IN ('iniciado', 'pagado', 'rechazado', 'anulado', 'tardio', 'duplicado', 'devolucion_pendiente', 'devuelto'))`,
  "CREATE INDEX pagos_iniciados ON pagos (pedido_id, vence_at) WHERE estado = 'iniciado'",

  // Sum of the payments, stored beside the price for the lists.
  'DROP INDEX pagos_once',
  'ALTER TABLE pedidos ADD COLUMN pagado_cents bigint NOT NULL DEFAULT 0',
  `UPDATE pedidos SET pagado_cents = p.suma
    FROM (SELECT pedido_id, sum(importe_cents)::bigint AS suma FROM pagos WHERE estado = 'pagado' GROUP BY 1) p WHERE p.pedido_id = pedidos.id`,
  // Guards against overpayment by faulty code.
  'ALTER TABLE pedidos ADD CONSTRAINT pedidos_pagado CHECK (pagado_cents BETWEEN 0 AND precio_total_cents)',
  `CREATE FUNCTION pagos_pagado_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE cambio bigint := 0;
    BEGIN
      IF TG_OP <> 'INSERT' AND OLD.estado = 'pagado' THEN cambio := cambio - OLD.importe_cents; END IF;
      IF TG_OP <> 'DELETE' AND NEW.estado = 'pagado' THEN cambio := cambio + NEW.importe_cents; END IF;
      IF cambio <> 0 THEN
        UPDATE pedidos SET pagado_cents = pagado_cents + cambio WHERE id = coalesce(NEW.pedido_id, OLD.pedido_id);
      END IF;
      RETURN NULL;
    END $$`,
  'CREATE TRIGGER pagos_pagado AFTER INSERT OR UPDATE OR DELETE ON pagos FOR EACH ROW EXECUTE FUNCTION pagos_pagado_trigger()',
  `CREATE INDEX pedidos_sin_pagar ON pedidos (fecha_pedido, id)
    WHERE deleted_at IS NULL AND estado <> 'cancelado' AND pagado_cents < precio_total_cents`,

  // Every order gets a payment page, with 244 random bits.
  "UPDATE pedidos SET pago_token = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '') WHERE pago_token IS NULL",

  `ALTER TABLE payment_events
    ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(),
    ADD COLUMN resolucion text CHECK (resolucion IN ('pagado', 'devolver', 'devuelto', 'visto')),
    ADD COLUMN motivo text,
    ADD COLUMN resuelto_at timestamptz`,
  'CREATE UNIQUE INDEX payment_events_id ON payment_events (id)',
  `CREATE INDEX payment_events_por_revisar ON payment_events (received_at)
    WHERE resultado IN ('desconocido', 'importe', 'moneda') AND (resolucion IS NULL OR resolucion = 'devolver')`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
