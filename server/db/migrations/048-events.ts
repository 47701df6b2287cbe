import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Webhook events, kept for programs that missed them; read in order of the transaction, like `cambios`.
  `CREATE TABLE events (
    -- The webhook-id of its deliveries.
    id uuid PRIMARY KEY,
    tipo text NOT NULL,
    -- Null in the last deleted one, which marks how far the events are gone.
    content jsonb,
    created_at timestamptz NOT NULL,
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    n bigint NOT NULL GENERATED ALWAYS AS IDENTITY
  )`,
  'CREATE INDEX events_in_order ON events (xid, n)',
  'CREATE INDEX events_by_age ON events (created_at)',
  "CREATE INDEX events_pedido ON events ((content->'pedido'->>'id'))",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
