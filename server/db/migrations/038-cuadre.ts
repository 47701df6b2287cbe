import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // One row a recount; `diferencias` holds the first rows of each check that found any, without data of a customer.
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
  // One recount at a time.
  'CREATE UNIQUE INDEX cuadres_en_curso ON cuadres ((true)) WHERE ended_at IS NULL',
  'CREATE INDEX cuadres_ultimo ON cuadres (ended_at DESC) WHERE ended_at IS NOT NULL',
];

/** The recounts of the books and what each found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
