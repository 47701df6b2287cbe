import { type Kysely, sql } from 'kysely';

/** Tables and the type of their rows. */
const ENTITIES = { pedidos: 'pedido', clientes: 'cliente', products: 'producto' };
/** Tables that are part of a product. */
const PARTS = ['product_packs', 'product_pictures'];

const triggersOn = (table: string, call: string) =>
  [
    ['INSERT', 'NEW'],
    ['UPDATE', 'NEW'],
    ['DELETE', 'OLD'],
  ].map(
    ([event, side]) => `CREATE TRIGGER ${table}_cambios_${event?.toLowerCase()} AFTER ${event} ON ${table}
      REFERENCING ${side} TABLE AS filas FOR EACH STATEMENT EXECUTE FUNCTION ${call}`,
  );

const noteChange = (name: string, rows: string) => `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO cambios AS c (tipo, entidad_id, xid) ${rows}
      ON CONFLICT (tipo, entidad_id) DO UPDATE SET xid = excluded.xid WHERE c.xid <> excluded.xid;
      RETURN NULL;
    END $$`;

const STATEMENTS = [
  // Last transaction of each row. Below the oldest running transaction (pg_snapshot_xmin), no earlier change can still commit.
  `CREATE TABLE cambios (
    tipo text NOT NULL,
    entidad_id uuid NOT NULL,
    xid xid8 NOT NULL,
    PRIMARY KEY (tipo, entidad_id)
  )`,
  'CREATE INDEX cambios_en_orden ON cambios (tipo, xid, entidad_id)',
  noteChange('cambios_trigger', 'SELECT TG_ARGV[0], id, pg_current_xact_id() FROM filas'),
  noteChange('cambios_de_producto', "SELECT DISTINCT 'producto', product_id, pg_current_xact_id() FROM filas"),
  ...Object.entries(ENTITIES).flatMap(([table, tipo]) => triggersOn(table, `cambios_trigger('${tipo}')`)),
  ...PARTS.flatMap((table) => triggersOn(table, 'cambios_de_producto()')),
  // Transaction numbers are local to a database, so a load changes the mark that every cursor holds.
  `CREATE FUNCTION rehacer_cambios() RETURNS void LANGUAGE sql AS $$
    DELETE FROM cambios;
    INSERT INTO cambios SELECT 'marca', gen_random_uuid(), pg_current_xact_id();
    ${Object.entries(ENTITIES)
      .map(([table, tipo]) => `INSERT INTO cambios SELECT '${tipo}', id, pg_current_xact_id() FROM ${table};`)
      .join('\n    ')}
  $$`,
  'SELECT rehacer_cambios()',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
