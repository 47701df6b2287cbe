import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `CREATE TABLE comentarios (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    pedido_id uuid NOT NULL REFERENCES pedidos,
    autor_id uuid REFERENCES users,
    autor_nombre text NOT NULL,
    autor_role text NOT NULL,
    texto text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  'CREATE INDEX comentarios_pedido ON comentarios (pedido_id, created_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
