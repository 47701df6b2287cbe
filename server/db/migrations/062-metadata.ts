import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['pedidos', 'clientes', 'products']) {
    // 20 keys of 40 characters with values of 500, each escaped; the number of keys is checked by the program.
    await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN metadata jsonb
      CHECK (jsonb_typeof(metadata) = 'object' AND metadata <> '{}' AND length(metadata::text) <= 21000)`.execute(db);
  }
  // Partial: orders without metadata, most of them, cost nothing.
  await sql`CREATE INDEX pedidos_metadata ON pedidos USING gin (metadata jsonb_path_ops) WHERE metadata IS NOT NULL`.execute(db);
}
