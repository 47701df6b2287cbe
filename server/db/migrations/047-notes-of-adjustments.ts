import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // As in the log, a transaction with this setting may redact a customer's name in a note.
  `CREATE OR REPLACE FUNCTION ganancias_solo_crecen() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND OLD.liquidacion_id IS NULL AND NEW.liquidacion_id IS NOT NULL
        AND to_jsonb(NEW) - 'liquidacion_id' = to_jsonb(OLD) - 'liquidacion_id' THEN RETURN NEW; END IF;
      -- Where somebody lives is blocked and forgotten with the order's other personal data; what was earned there is not.
      IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - 'ciudad' = to_jsonb(OLD) - 'ciudad' THEN RETURN NEW; END IF;
      IF TG_OP = 'UPDATE' AND current_setting('enruta.datos_personales', true) = 'cubrir'
        AND to_jsonb(NEW) - 'nota' = to_jsonb(OLD) - 'nota' THEN RETURN NEW; END IF;
      RAISE EXCEPTION 'ganancias is append-only';
    END $$`,
  // Few rows among the movements; searched for personal data.
  'CREATE INDEX stock_movements_ajustes ON stock_movements (id) WHERE pedido_id IS NULL',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
