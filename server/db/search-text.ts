import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { AUDIENCES, type Audience } from '../../contract/pedidos.field.ts';
import { FIELDS, type PedidoFieldName, pedidoField } from '../../contract/pedidos.fields.ts';

/*
 * The text by which orders are found, and the trigger that keeps it, from the table of fields: made after the migrations,
 * and again by the first start of a version in which another field is searched.
 */

/**
 * Audiences by their part of the text, so that a match counts only in the parts that the actor may see. `order` is the last:
 * the products of the further lines are appended to it (migration 026).
 */
export const PARTS = (Object.keys(AUDIENCES) as Audience[]).toReversed();
/** Separates the parts; no field may hold it (contract/fields.ts). */
const SEPARATOR = 'chr(1)';

const searchedBy = (audience: Audience) => FIELDS.filter((name) => pedidoField(name).searched && pedidoField(name).seen === audience);
/** Parts in which there is anything. */
export const SEARCHED_PARTS = PARTS.filter((audience) => searchedBy(audience).length > 0);

/** SQL of the part of a search text that an audience sees. */
export const partOf = (audience: Audience, text: string): string => `split_part(${text}, ${SEPARATOR}, ${PARTS.indexOf(audience) + 1})`;

function wordsOf(name: PedidoFieldName): string[] {
  const value = `coalesce(p.${name}, '')`;
  // In any notation, and as its digits.
  return pedidoField(name).kind === 'telephone' ? [value, `regexp_replace(${value}, '[^0-9]', '', 'g')`] : [value];
}

/** The part of one audience, empty where nothing is searched. */
function textOf(audience: Audience): string {
  const words = searchedBy(audience).flatMap(wordsOf);
  return words.length ? `replace(${words.map((word) => `' ' || ${word}`).join(' || ')}, ${SEPARATOR}, ' ')` : "''";
}

function statements(): string[] {
  const columns = SEARCHED_PARTS.flatMap(searchedBy);
  const rowOf = (side: 'OLD' | 'NEW') => `(${columns.map((name) => `${side}.${name}`).join(', ')})`;
  return [
    `CREATE OR REPLACE FUNCTION texto_busqueda(p pedidos) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT normaliza(${PARTS.map(textOf).join(` || ${SEPARATOR} || `)}) $$`,
    'DROP TRIGGER IF EXISTS pedidos_busqueda_update ON pedidos',
    `CREATE TRIGGER pedidos_busqueda_update AFTER UPDATE OF ${columns.join(', ')} ON pedidos FOR EACH ROW
      WHEN (${rowOf('OLD')} IS DISTINCT FROM ${rowOf('NEW')}) EXECUTE FUNCTION pedidos_busqueda_trigger()`,
    'SELECT rehacer_busqueda()',
  ];
}

/** Makes the search texts of a migrated database follow the table of fields; does nothing where they do. */
export async function followSearched<T>(db: Kysely<T>): Promise<void> {
  const made = statements();
  const mark = hash('sha256', made.join(), 'base64url');
  const isMade = async (on: Kysely<T>) => {
    const { rows } = await sql<{ mark: string | null }>`
      SELECT obj_description('texto_busqueda(pedidos)'::regprocedure, 'pg_proc') AS mark`.execute(on);
    return rows[0]?.mark === mark;
  };
  if (await isMade(db)) return;
  await db.transaction().execute(async (tx) => {
    // Two instances that start together make them once.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('texto_busqueda', 0))`.execute(tx);
    if (await isMade(tx)) return;
    for (const statement of made) await sql.raw(statement).execute(tx);
    await sql`COMMENT ON FUNCTION texto_busqueda(pedidos) IS ${sql.lit(mark)}`.execute(tx);
  });
}
