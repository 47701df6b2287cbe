import { type Kysely, sql } from 'kysely';

/** Histogram of what browsers measure, by day. No person and no address: only counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE velocidad (
    dia date NOT NULL,
    version text NOT NULL,
    pantalla text NOT NULL CHECK (char_length(pantalla) <= 61),
    rol text NOT NULL,
    dispositivo text NOT NULL,
    medida text NOT NULL,
    cubo int NOT NULL,
    veces int NOT NULL DEFAULT 1,
    PRIMARY KEY (dia, version, pantalla, rol, dispositivo, medida, cubo)
  )`.execute(db);
}
