import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Sorts names as in Spanish (Á beside A), whatever the database's collation.
  "CREATE COLLATION nombres (provider = icu, locale = 'es')",
  ...['cliente', 'revendedor_nombre', 'transportista_nombre'].flatMap((name) => [
    `DROP INDEX pedidos_${name}`,
    `CREATE INDEX pedidos_${name} ON pedidos (${name === 'cliente' ? 'cliente_nombre' : name} COLLATE nombres, id) WHERE deleted_at IS NULL`,
  ]),
];

// Older databases searched the address without second line and province.
const WHOLE_ADDRESS = [
  'ALTER TABLE pedidos DROP COLUMN busqueda',
  `ALTER TABLE pedidos ADD COLUMN busqueda text GENERATED ALWAYS AS (normaliza(
    ' ' || numero_orden || ' ' || cliente_nombre || ' ' || cliente_direccion || ' ' || coalesce(cliente_direccion2, '') || ' ' ||
    coalesce(cliente_ciudad, '') || ' ' || coalesce(cliente_provincia, '') || ' ' || coalesce(cliente_codigo_postal, '') || ' ' ||
    coalesce(cliente_telefono, '') || ' ' || regexp_replace(coalesce(cliente_telefono, ''), '[^0-9]', '', 'g') || ' ' ||
    coalesce(revendedor_nombre, '') || ' ' || producto || ' ' || coalesce(numero_seguimiento, ''))) STORED`,
  'CREATE INDEX pedidos_busqueda ON pedidos USING gin (busqueda gin_trgm_ops)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  const { rows } = await sql<{ whole: boolean }>`
    SELECT pg_get_expr(d.adbin, d.adrelid) LIKE '%cliente_direccion2%' AS whole FROM pg_attrdef d
    JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum WHERE d.adrelid = 'pedidos'::regclass AND a.attname = 'busqueda'`.execute(
    db,
  );
  if (!rows[0]?.whole) for (const statement of WHOLE_ADDRESS) await sql.raw(statement).execute(db);
}
