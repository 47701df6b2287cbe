import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `CREATE TABLE webhooks (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    url text NOT NULL,
    descripcion text,
    -- Encrypted; null once the key that could read it is lost.
    secreto text,
    eventos text[] NOT NULL CHECK (cardinality(eventos) > 0),
    con_precios boolean NOT NULL DEFAULT false,
    is_active boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now(),
    version int NOT NULL DEFAULT 1,
    CHECK (secreto IS NOT NULL OR NOT is_active)
  )`,
  "CREATE INDEX outbox_webhook ON outbox (recipient, created_at DESC, id) WHERE channel = 'webhook'",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
