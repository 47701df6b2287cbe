import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'CREATE TABLE job_failures (name text PRIMARY KEY, reason text NOT NULL, failures int NOT NULL DEFAULT 1, since timestamptz NOT NULL DEFAULT now(), last_at timestamptz NOT NULL DEFAULT now())',
  'CREATE TABLE unknown_logins (id boolean PRIMARY KEY DEFAULT true CHECK (id), untold int NOT NULL DEFAULT 0, told_at timestamptz)',
  'INSERT INTO unknown_logins DEFAULT VALUES',
  'CREATE TABLE secret_keys (id boolean PRIMARY KEY DEFAULT true CHECK (id), fingerprint text NOT NULL)',
  'ALTER TABLE exports ADD COLUMN attempts int NOT NULL DEFAULT 0, ADD COLUMN error text',

  // Unknown user names are often mistyped passwords. Only a migration, as owner of the table, may suspend the append-only trigger (007).
  'ALTER TABLE audit_logs DISABLE TRIGGER audit_solo_crece',
  `UPDATE audit_logs l SET description = 'Registro ocultado: Acceso fallido con un usuario que no existe',
      antes = l.antes || '{"description": "Acceso fallido con un usuario que no existe"}'
    FROM audit_logs hidden
    WHERE l.action = 'delete' AND l.entity_type = 'audit' AND hidden.id::text = l.entity_id::text
      AND hidden.action = 'login_failed' AND hidden.entity_id IS NULL`,
  `UPDATE audit_logs SET description = 'Acceso fallido con un usuario que no existe' WHERE action = 'login_failed' AND entity_id IS NULL`,
  'ALTER TABLE audit_logs ENABLE TRIGGER audit_solo_crece',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
