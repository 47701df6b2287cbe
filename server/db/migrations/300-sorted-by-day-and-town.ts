import { type Kysely, sql } from 'kysely';

/** Creates the indexes of the two orders of lists that had none: by promised day and by town. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX pedidos_fecha_estimada ON pedidos (fecha_estimada, id) WHERE deleted_at IS NULL`.execute(db);
  await sql`CREATE INDEX pedidos_ciudad ON pedidos (cliente_ciudad COLLATE nombres, id) WHERE deleted_at IS NULL`.execute(db);
}
