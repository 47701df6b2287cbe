import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // `diferencias` holds the first rows per check, without customer data.
  `CREATE TABLE cuadres (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    started_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    hechas int NOT NULL DEFAULT 0,
    partes int NOT NULL DEFAULT 0,
    pedidos int NOT NULL DEFAULT 0,
    diferencias jsonb NOT NULL DEFAULT '[]',
    num_diferencias int NOT NULL DEFAULT 0
  )`,
  'CREATE UNIQUE INDEX cuadres_en_curso ON cuadres ((true)) WHERE ended_at IS NULL',
  'CREATE INDEX cuadres_ultimo ON cuadres (ended_at DESC) WHERE ended_at IS NOT NULL',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
