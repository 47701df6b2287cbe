import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `ALTER TABLE users
    -- Encrypted with SECRET_KEY (kit/secrets.ts); the pending one has not yet been proven by a code.
    ADD COLUMN totp_secret text,
    ADD COLUMN totp_pending text,
    -- Counter of the last code used (RFC 6238, section 5.2: a code is good once).
    ADD COLUMN totp_last_step bigint`,
  `CREATE TABLE recovery_codes (
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    code_hash text NOT NULL,
    used_at timestamptz,
    PRIMARY KEY (user_id, code_hash)
  )`,
  `CREATE TABLE backups (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    nombre text NOT NULL UNIQUE,
    origen text NOT NULL CHECK (origen IN ('manual', 'programada')),
    estado text NOT NULL DEFAULT 'en_curso' CHECK (estado IN ('en_curso', 'verificada', 'error')),
    size bigint,
    filas bigint,
    -- SHA-256 of the file.
    checksum text,
    error text,
    created_at timestamptz NOT NULL DEFAULT now(),
    verified_at timestamptz
  )`,
  'CREATE INDEX backups_recent ON backups (created_at DESC)',
  `CREATE TABLE push_subscriptions (
    endpoint text PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    p256dh text NOT NULL,
    auth text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  'CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
