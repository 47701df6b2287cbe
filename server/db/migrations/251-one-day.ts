import { type Kysely, sql } from 'kysely';

/** Saved views filter by the day's one definition. */
export const up = (db: Kysely<unknown>) =>
  sql`UPDATE vistas SET consulta = (consulta - 'para_hoy') || '{"hoy": "toca"}' WHERE consulta ? 'para_hoy'`.execute(db);
