import { type Kysely, sql } from 'kysely';

/** `topes`: counts of acts by a person or on an order since `desde`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE topes (
    clase text NOT NULL,
    clave uuid NOT NULL,
    desde timestamptz NOT NULL DEFAULT now(),
    veces bigint NOT NULL,
    PRIMARY KEY (clase, clave)
  )`.execute(db);
}
