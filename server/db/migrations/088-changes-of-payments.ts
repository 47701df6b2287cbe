import { type Kysely, sql } from 'kysely';

const triggers = [
  ['INSERT', 'NEW'],
  ['UPDATE', 'NEW'],
  ['DELETE', 'OLD'],
].map(
  ([event, side]) => `CREATE TRIGGER pagos_cambios_${event?.toLowerCase()} AFTER ${event} ON pagos
    REFERENCING ${side} TABLE AS filas FOR EACH STATEMENT EXECUTE FUNCTION cambios_trigger('pago')`,
);
const ENTITIES = { pedidos: 'pedido', clientes: 'cliente', products: 'producto', pagos: 'pago' };

const STATEMENTS = [
  ...triggers,
  `CREATE OR REPLACE FUNCTION rehacer_cambios() RETURNS void LANGUAGE sql AS $$
    DELETE FROM cambios;
    INSERT INTO cambios SELECT 'marca', gen_random_uuid(), pg_current_xact_id();
    ${Object.entries(ENTITIES)
      .map(([table, tipo]) => `INSERT INTO cambios SELECT '${tipo}', id, pg_current_xact_id() FROM ${table};`)
      .join('\n    ')}
  $$`,
  `INSERT INTO cambios SELECT 'pago', id, pg_current_xact_id() FROM pagos`,
];

// Bookkeeping programs read the payments changed since their last request.
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
