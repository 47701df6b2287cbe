import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // One row per browser and notification, until it is sent.
  `CREATE TABLE pushes (
    notification_id uuid NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    endpoint text NOT NULL REFERENCES push_subscriptions (endpoint) ON DELETE CASCADE,
    due_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    error text,
    PRIMARY KEY (notification_id, endpoint)
  )`,
  'CREATE INDEX pushes_due ON pushes (due_at)',
  'CREATE INDEX pushes_endpoint ON pushes (endpoint)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
