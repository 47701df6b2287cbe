import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `CREATE TABLE api_keys (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    nombre text NOT NULL,
    -- SHA-256 of the key, which is 256 random bits.
    key_hash text NOT NULL UNIQUE,
    inicio text NOT NULL,
    acciones text[] NOT NULL CHECK (cardinality(acciones) > 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    creada_por text NOT NULL,
    usada_at timestamptz,
    caduca_at timestamptz,
    revocada_at timestamptz
  )`,
  // The author excluded from a notice may be a program.
  'ALTER TABLE notifications DROP CONSTRAINT notifications_except_id_fkey',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
