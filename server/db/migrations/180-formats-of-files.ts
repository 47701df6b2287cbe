import { type Kysely, sql } from 'kysely';

/** What persons have answered about files of other programs, for the next file with the same headings. `dueno` null: the whole office. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE formatos (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    dueno uuid REFERENCES users ON DELETE CASCADE,
    uso text NOT NULL,
    origen text NOT NULL,
    titulos text NOT NULL,
    respuestas jsonb NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now()
  )`.execute(db);
  await sql`CREATE UNIQUE INDEX formatos_titulos ON formatos (dueno, uso, origen, md5(titulos)) NULLS NOT DISTINCT`.execute(db);
}
