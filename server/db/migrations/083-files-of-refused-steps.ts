import { type Kysely, sql } from 'kysely';

// Signatures and photos of a step that was refused: the office sees them beside what was told of it.
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`ALTER TABLE pedidos_historial ADD COLUMN anunciadas jsonb`.execute(db);
  await sql`CREATE INDEX pedidos_historial_anunciadas ON pedidos_historial (created_at) WHERE anunciadas IS NOT NULL`.execute(db);
};
