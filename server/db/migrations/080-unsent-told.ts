import { type Kysely, sql } from 'kysely';

// A telephone that has sent everything keeps its row, with the day on which its unsent deliveries were told.
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`ALTER TABLE sin_enviar DROP CONSTRAINT sin_enviar_pedidos_check, ADD CHECK (pedidos BETWEEN 0 AND 9999)`.execute(db);
};
