import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `CREATE TABLE outbox (
    -- A mail's Message-ID, so a mail sent twice is one mail.
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    channel text NOT NULL,
    recipient text NOT NULL,
    payload jsonb NOT NULL,
    -- Sent together with the recipient's others.
    digest boolean NOT NULL DEFAULT false,
    -- Next attempt; while one is being made, when it counts as lost.
    due_at timestamptz NOT NULL DEFAULT now(),
    attempts int NOT NULL DEFAULT 0,
    error text,
    created_at timestamptz NOT NULL DEFAULT now(),
    sent_at timestamptz,
    failed_at timestamptz
  )`,
  `INSERT INTO outbox (id, channel, recipient, payload, digest, due_at, attempts, error, created_at, sent_at, failed_at)
    SELECT id, 'correo', para, jsonb_build_object('asunto', asunto, 'texto', texto, 'html', html), digest,
      greatest(due_at, locked_until), attempts, error, created_at, sent_at, failed_at FROM mails`,
  `INSERT INTO outbox (channel, recipient, payload, due_at, attempts, error)
    SELECT 'push', endpoint, jsonb_build_object('notification_id', notification_id), due_at, attempts, error FROM pushes`,
  'DROP TABLE mails, pushes',
  'CREATE INDEX outbox_due ON outbox (channel, due_at, id) WHERE sent_at IS NULL AND failed_at IS NULL',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
