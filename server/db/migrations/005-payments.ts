import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `ALTER TABLE pagos
    ADD COLUMN estado text NOT NULL DEFAULT 'pagado'
      CHECK (estado IN ('iniciado', 'pagado', 'rechazado', 'tardio', 'duplicado', 'devolucion_pendiente', 'devuelto')),
    -- What the provider calls the payment: a Checkout Session of Stripe, a Ds_Order of Redsys.
    ADD COLUMN externo_id text,
    ADD COLUMN nota text,
    ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now()`,
  'CREATE UNIQUE INDEX pagos_externo ON pagos (proveedor, externo_id)',
  // One payment per order, whatever the notifications do.
  `CREATE UNIQUE INDEX pagos_once ON pagos (pedido_id) WHERE estado = 'pagado'`,

  // Every genuine notification, once, with its result; forged ones are not stored.
  `CREATE TABLE payment_events (
    proveedor text NOT NULL,
    evento_id text NOT NULL,
    externo_id text,
    pedido_id uuid,
    importe_cents bigint CHECK (importe_cents BETWEEN -1000000000000 AND 1000000000000),
    moneda text,
    resultado text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (proveedor, evento_id)
  )`,
  'CREATE INDEX payment_events_pedido ON payment_events (pedido_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
