import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { AUDIENCES, type Audience } from '../../contract/pedidos/field.ts';
import { FIELDS, type PedidoFieldName, pedidoField } from '../../contract/pedidos/fields.ts';

/* Search text of orders and its trigger, made from the table of fields. Both are created after migrations, and again when searched fields change. */

/** Parts of the text by audience. `order` is last, because products are appended to it (migration 026). */
export const PARTS = (Object.keys(AUDIENCES) as Audience[]).toReversed();
/** Separates the parts; fields cannot contain it (contract/kit/fields.ts). */
const SEPARATOR = 'chr(1)';

const searchedBy = (audience: Audience) => FIELDS.filter((name) => pedidoField(name).searched && pedidoField(name).seen === audience);
export const SEARCHED_PARTS = PARTS.filter((audience) => searchedBy(audience).length > 0);

/** Returns SQL for the part of `text` that the audience sees. */
export const searchPart = (audience: Audience, text: string): string => `split_part(${text}, ${SEPARATOR}, ${PARTS.indexOf(audience) + 1})`;

function wordsOf(name: PedidoFieldName): string[] {
  const value = `coalesce(p.${name}, '')`;
  // A bank shows of a shop's number only letters and figures, in words or joined, and the digits of `transferConcept`.
  if (name === 'numero_orden')
    return [value, `CASE WHEN ${value} ~ '^ORD-[0-9]+$' THEN '' ELSE ${bankNumber(' ')} || ' ' || ${bankNumber('')} END`];
  if (pedidoField(name).kind === 'money') return [`replace(to_char(p.${name}_cents / 100.0, 'FM999999990.00'), '.', ',')`];
  // Telephones are searched as written and as digits.
  return pedidoField(name).kind === 'telephone' ? [value, `telefonos(${value})`] : [value];
}

const bankNumber = (space: string) =>
  `regexp_replace(normaliza(p.numero_orden || ' ' || right(replace(p.id::text, '-', ''), 8)), '[^a-z0-9]+', '${space}', 'g')`;

function textOf(audience: Audience): string {
  const words = searchedBy(audience).flatMap(wordsOf);
  return words.length ? `replace(${words.map((word) => `' ' || ${word}`).join(' || ')}, ${SEPARATOR}, ' ')` : "''";
}

function statements(): string[] {
  const columns = SEARCHED_PARTS.flatMap(searchedBy).map((name) => (pedidoField(name).kind === 'money' ? `${name}_cents` : name));
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

/** Updates the search texts after a change of the table of fields. Calls `lock` before the first statement that locks tables. */
export async function followSearched<T>(db: Kysely<T>, lock: (tx: Kysely<T>) => Promise<void>): Promise<void> {
  const made = statements();
  const mark = hash('sha256', made.join(), 'base64url');
  const isMade = async (on: Kysely<T>) => {
    const { rows } = await sql<{ mark: string | null }>`
      SELECT obj_description('texto_busqueda(pedidos)'::regprocedure, 'pg_proc') AS mark`.execute(on);
    return rows[0]?.mark === mark;
  };
  if (await isMade(db)) return;
  await db.transaction().execute(async (tx) => {
    // Serialises instances that start together.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('texto_busqueda', 0))`.execute(tx);
    if (await isMade(tx)) return;
    await lock(tx);
    for (const statement of made) await sql.raw(statement).execute(tx);
    await sql`COMMENT ON FUNCTION texto_busqueda(pedidos) IS ${sql.lit(mark)}`.execute(tx);
  });
}
