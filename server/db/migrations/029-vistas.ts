import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `CREATE TABLE vistas (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id uuid NOT NULL REFERENCES users,
    -- One of LISTAS (contract/vistas/fields.ts): another list needs no migration.
    lista text NOT NULL,
    nombre text NOT NULL CHECK (char_length(nombre) BETWEEN 1 AND 60),
    -- Filters and sort, as in the address.
    consulta jsonb NOT NULL,
    -- Keys of the columns shown, in order; null leaves them as each person has them.
    columnas text[],
    compartida boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    version int NOT NULL DEFAULT 1
  )`,
  'CREATE UNIQUE INDEX vistas_nombre ON vistas (user_id, lista, lower(nombre))',
  'CREATE INDEX vistas_compartidas ON vistas (lista) WHERE compartida',
  `CREATE TABLE vistas_preferidas (
    user_id uuid NOT NULL REFERENCES users,
    lista text NOT NULL,
    vista_id uuid NOT NULL REFERENCES vistas ON DELETE CASCADE,
    PRIMARY KEY (user_id, lista)
  )`,
  'CREATE INDEX vistas_preferidas_vista ON vistas_preferidas (vista_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
