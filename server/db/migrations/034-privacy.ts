import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'ALTER TABLE pedidos ADD COLUMN anonimizado_at timestamptz, ADD COLUMN bloqueado_at timestamptz',
  `CREATE TABLE datos_bloqueados (
    pedido_id uuid PRIMARY KEY REFERENCES pedidos,
    -- Encrypted with SECRET_KEY: what was taken out of every table, by row.
    datos text NOT NULL,
    motivo text NOT NULL,
    bloqueado_por uuid REFERENCES users,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  // Key of a person: last nine digits of the telephone, else name and postcode (server/privacidad/persona.ts).
  `CREATE INDEX pedidos_persona ON pedidos ((
    CASE WHEN length(regexp_replace(coalesce(cliente_telefono, ''), '[^0-9]', '', 'g')) >= 6
      THEN right(regexp_replace(cliente_telefono, '[^0-9]', '', 'g'), 9)
      ELSE normaliza(cliente_nombre) || ' ' || coalesce(cliente_codigo_postal, '') END
    )) WHERE anonimizado_at IS NULL AND bloqueado_at IS NULL`,
  // The log stays append-only, except that a transaction with this setting may redact personal data, and restore it after a block.
  `CREATE OR REPLACE FUNCTION audit_solo_crece() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' THEN
        IF OLD.hidden_at IS NULL AND to_jsonb(NEW) - 'hidden_at' = to_jsonb(OLD) - 'hidden_at' THEN RETURN NEW; END IF;
        IF current_setting('enruta.datos_personales', true) = 'cubrir'
          AND to_jsonb(NEW) - '{description,antes,despues}'::text[] = to_jsonb(OLD) - '{description,antes,despues}'::text[]
          THEN RETURN NEW; END IF;
      END IF;
      RAISE EXCEPTION 'audit_logs is append-only';
    END $$`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
