import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // The day on which the money came, and until when a payment begun at a provider may still end.
  'ALTER TABLE pagos ADD COLUMN fecha date, ADD COLUMN vence_at timestamptz',
  'UPDATE pagos SET fecha = dia_negocio(created_at)',
  'ALTER TABLE pagos ALTER COLUMN fecha SET NOT NULL, ALTER COLUMN fecha SET DEFAULT dia_negocio(now())',
  `ALTER TABLE pagos DROP CONSTRAINT pagos_estado_check, ADD CONSTRAINT pagos_estado_check
    CHECK (estado IN ('iniciado', 'pagado', 'rechazado', 'anulado', 'tardio', 'duplicado', 'devolucion_pendiente', 'devuelto'))`,
  "CREATE INDEX pagos_iniciados ON pagos (pedido_id, vence_at) WHERE estado = 'iniciado'",

  // What has been paid of an order, kept beside its price for the lists. Several payments may add up to it.
  'DROP INDEX pagos_once',
  'ALTER TABLE pedidos ADD COLUMN pagado_cents bigint NOT NULL DEFAULT 0',
  `UPDATE pedidos SET pagado_cents = p.suma
    FROM (SELECT pedido_id, sum(importe_cents)::bigint AS suma FROM pagos WHERE estado = 'pagado' GROUP BY 1) p WHERE p.pedido_id = pedidos.id`,
  // Whatever the code does, nobody pays more than the price.
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
  // The filter «Sin pagar» and «Pagado en parte».
  `CREATE INDEX pedidos_sin_pagar ON pedidos (fecha_pedido, id)
    WHERE deleted_at IS NULL AND estado <> 'cancelado' AND pagado_cents < precio_total_cents`,

  // Every order has a payment page: 244 random bits where there was none.
  "UPDATE pedidos SET pago_token = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '') WHERE pago_token IS NULL",

  // Money that fits no order waits for a superadmin.
  `ALTER TABLE payment_events
    ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(),
    ADD COLUMN resolucion text CHECK (resolucion IN ('pagado', 'devolver', 'devuelto', 'visto')),
    ADD COLUMN motivo text,
    ADD COLUMN resuelto_at timestamptz`,
  'CREATE UNIQUE INDEX payment_events_id ON payment_events (id)',
  `CREATE INDEX payment_events_por_revisar ON payment_events (received_at)
    WHERE resultado IN ('desconocido', 'importe', 'moneda') AND (resolucion IS NULL OR resolucion = 'devolver')`,
];

/** Payments of any method and amount, and a place for those that match no order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
