import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `CREATE TABLE notifications (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id uuid NOT NULL REFERENCES users,
    tipo text NOT NULL,
    texto text NOT NULL,
    enlace text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    read_at timestamptz
  )`,
  'CREATE INDEX notifications_user ON notifications (user_id, created_at DESC, id DESC)',
  'CREATE INDEX notifications_unread ON notifications (user_id) WHERE read_at IS NULL',

  // The row's id is the Message-ID, so that a mail sent twice is recognised.
  `CREATE TABLE mails (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    para text NOT NULL,
    asunto text NOT NULL,
    texto text NOT NULL,
    html text NOT NULL,
    -- Part of a digest: sent together with the recipient's others.
    digest boolean NOT NULL DEFAULT false,
    due_at timestamptz NOT NULL DEFAULT now(),
    attempts int NOT NULL DEFAULT 0,
    locked_until timestamptz,
    sent_at timestamptz,
    failed_at timestamptz,
    error text,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  'CREATE INDEX mails_due ON mails (due_at) WHERE sent_at IS NULL AND failed_at IS NULL',

  'ALTER TABLE pedidos ADD COLUMN recordatorio_at timestamptz',
  'ALTER TABLE pedidos ADD COLUMN transferencia_avisada_at timestamptz',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
