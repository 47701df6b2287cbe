import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // One sequence per year, created by its first order, so that numbering never blocks.
  `CREATE FUNCTION siguiente_numero() RETURNS text LANGUAGE plpgsql AS $$
    DECLARE
      anio text := extract(year FROM dia_negocio(now()));
      secuencia text := 'numeros_' || anio;
      n text;
      numero text;
    BEGIN
      IF to_regclass(secuencia) IS NULL THEN
        -- IF NOT EXISTS alone fails for the second of two that make it at once.
        PERFORM pg_advisory_xact_lock(hashtextextended(secuencia, 0));
        EXECUTE format('CREATE SEQUENCE IF NOT EXISTS %I', secuencia);
      END IF;
      LOOP
        n := nextval(secuencia::regclass);
        numero := 'ORD-' || anio || lpad(n, greatest(6, length(n)), '0');
        -- A superadmin may have typed this one in.
        EXIT WHEN NOT EXISTS (SELECT FROM pedidos WHERE numero_orden = numero);
      END LOOP;
      RETURN numero;
    END $$`,
  `DO $$ DECLARE n record; BEGIN
    FOR n IN SELECT year, last FROM order_numbers LOOP
      EXECUTE format('CREATE SEQUENCE %I START %s', 'numeros_' || n.year, n.last + 1);
    END LOOP;
  END $$`,
  'DROP TABLE order_numbers',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
