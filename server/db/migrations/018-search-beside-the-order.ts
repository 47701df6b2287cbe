import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'ALTER TABLE pedidos DROP COLUMN busqueda',
  // Separate table, so that a change of estado touches neither text nor index.
  `CREATE TABLE pedidos_busqueda (
    pedido_id uuid PRIMARY KEY REFERENCES pedidos ON DELETE CASCADE,
    texto text NOT NULL
  )`,
  // A larger statistics sample lets the planner tell words in 0.3 % of the orders from rare ones.
  'ALTER TABLE pedidos_busqueda ALTER COLUMN texto SET STATISTICS 300',
  'CREATE INDEX pedidos_busqueda_texto ON pedidos_busqueda USING gin (texto gin_trgm_ops)',
  `CREATE FUNCTION texto_busqueda(p pedidos) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT normaliza(
      ' ' || p.numero_orden || ' ' || p.cliente_nombre || ' ' || p.cliente_direccion || ' ' || coalesce(p.cliente_direccion2, '') || ' ' ||
      coalesce(p.cliente_ciudad, '') || ' ' || coalesce(p.cliente_provincia, '') || ' ' || coalesce(p.cliente_codigo_postal, '') || ' ' ||
      coalesce(p.cliente_telefono, '') || ' ' || regexp_replace(coalesce(p.cliente_telefono, ''), '[^0-9]', '', 'g') || ' ' ||
      coalesce(p.revendedor_nombre, '') || ' ' || p.producto || ' ' || coalesce(p.numero_seguimiento, '')) $$`,
  `CREATE FUNCTION pedidos_busqueda_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO pedidos_busqueda VALUES (NEW.id, texto_busqueda(NEW)) ON CONFLICT (pedido_id) DO UPDATE SET texto = excluded.texto;
      RETURN NULL;
    END $$`,
  'CREATE TRIGGER pedidos_busqueda_insert AFTER INSERT ON pedidos FOR EACH ROW EXECUTE FUNCTION pedidos_busqueda_trigger()',
  `CREATE TRIGGER pedidos_busqueda_update AFTER UPDATE ON pedidos FOR EACH ROW
    WHEN (texto_busqueda(OLD) <> texto_busqueda(NEW)) EXECUTE FUNCTION pedidos_busqueda_trigger()`,
  // Full rebuild after loading without triggers; creating the index last is many times faster.
  `CREATE FUNCTION rehacer_busqueda() RETURNS void LANGUAGE plpgsql AS $$
    DECLARE indice text := pg_get_indexdef('pedidos_busqueda_texto'::regclass);
    BEGIN
      DROP INDEX pedidos_busqueda_texto;
      DELETE FROM pedidos_busqueda;
      INSERT INTO pedidos_busqueda SELECT p.id, texto_busqueda(p) FROM pedidos p;
      EXECUTE indice;
    END $$`,
  'SELECT rehacer_busqueda()',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
