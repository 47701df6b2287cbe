import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Name of the money at the provider: a PaymentIntent of Stripe. Refunds and disputes name it, not the Checkout Session.
  'ALTER TABLE pagos ADD COLUMN intento text',
  'CREATE UNIQUE INDEX pagos_intento ON pagos (proveedor, intento)',
  // Cents of the payment that the notification took back.
  'ALTER TABLE payment_events ADD COLUMN anotado_cents bigint NOT NULL DEFAULT 0 CHECK (anotado_cents BETWEEN 0 AND 1000000000000)',
  // Notifications of one payment, to add up refunds.
  'CREATE INDEX payment_events_externo ON payment_events (proveedor, externo_id)',
  'DROP INDEX payment_events_por_revisar',
  `CREATE INDEX payment_events_por_revisar ON payment_events (received_at)
    WHERE resultado IN ('desconocido', 'importe', 'moneda', 'reembolso', 'disputa', 'disputa_perdida') AND (resolucion IS NULL OR resolucion = 'devolver')`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
