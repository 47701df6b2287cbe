import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `ALTER TABLE backups
    -- What is being done to it, and how much of how much is done.
    ADD COLUMN fase text CHECK (fase IN ('leyendo', 'comprimiendo', 'comprobando')),
    ADD COLUMN hechas bigint NOT NULL DEFAULT 0,
    ADD COLUMN total bigint NOT NULL DEFAULT 0,
    -- How it was verified.
    ADD COLUMN verificacion text CHECK (verificacion IN ('restaurada', 'recuento'))`,
  "UPDATE backups SET verificacion = 'restaurada' WHERE estado = 'verificada'",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
