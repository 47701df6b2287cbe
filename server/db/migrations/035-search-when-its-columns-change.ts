import { type Kysely, sql } from 'kysely';

const SEARCHED = [
  'numero_orden',
  'cliente_nombre',
  'cliente_direccion',
  'cliente_direccion2',
  'cliente_ciudad',
  'cliente_provincia',
  'cliente_codigo_postal',
  'cliente_telefono',
  'revendedor_nombre',
  'producto',
  'numero_seguimiento',
];
const rowOf = (side: 'OLD' | 'NEW') => `(${SEARCHED.map((column) => `${side}.${column}`).join(', ')})`;

const STATEMENTS = [
  'DROP TRIGGER pedidos_busqueda_update ON pedidos',
  // Building and comparing both texts took longer than the rest of a change of estado.
  `CREATE TRIGGER pedidos_busqueda_update AFTER UPDATE OF ${SEARCHED} ON pedidos FOR EACH ROW
    WHEN (${rowOf('OLD')} IS DISTINCT FROM ${rowOf('NEW')}) EXECUTE FUNCTION pedidos_busqueda_trigger()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
