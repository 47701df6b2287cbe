import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `CREATE TABLE exports (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id uuid NOT NULL REFERENCES users,
    name text NOT NULL,
    formato text NOT NULL CHECK (formato IN ('xlsx', 'csv')),
    peticion jsonb NOT NULL,
    estado text NOT NULL DEFAULT 'en_curso' CHECK (estado IN ('en_curso', 'listo', 'error', 'cancelado')),
    -- Rows written so far and in all.
    hechas int NOT NULL DEFAULT 0 CHECK (hechas BETWEEN 0 AND 100000000),
    total int NOT NULL DEFAULT 0 CHECK (total BETWEEN 0 AND 100000000),
    size int CHECK (size BETWEEN 0 AND 1000000000),
    content bytea,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    finished_at timestamptz
  )`,
  'CREATE INDEX exports_user ON exports (user_id, created_at DESC)',
  `CREATE INDEX exports_waiting ON exports (created_at) WHERE estado = 'en_curso'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
