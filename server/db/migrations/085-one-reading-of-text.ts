import { type Kysely, sql } from 'kysely';

/* Text, telephones and postcodes as contract/text reads them (085.test.ts compares both). */

// \p{Cf} and \p{Zs}, which PostgreSQL's patterns do not know.
const INVISIBLE =
  '\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb' +
  '\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0001}\u{e0020}-\u{e007f}';
const SPACES = '\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000';
const MARKS = '\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f';
const DASHES = '\u2010-\u2015\u2212\u058a\u2e3a\u2e3b\ufe58\ufe63\uff0d';
const SINGLE: readonly (readonly [string, string])[] = [
  ['łŁ', 'l'],
  ['øØ', 'o'],
  ['đĐðÐ', 'd'],
  ['ħĦ', 'h'],
  ['ı', 'i'],
  ['ŋŊ', 'n'],
  ['ŧŦ', 't'],
  ['əƏ', 'e'],
  ['ĸ', 'k'],
  ['ƒ', 'f'],
  ['‘’ʼʻ′‛', "'"],
  ['“”„«»', '"'],
  ['‐‑‒–—−', '-'],
  ['⁄', '/'],
];
const FROM = SINGLE.map(([from]) => from).join('');
const TO = SINGLE.map(([from, to]) => to.repeat([...from].length)).join('');
const DOUBLE = ['ß:ss', 'ẞ:ss', 'æ:ae', 'Æ:ae', 'œ:oe', 'Œ:oe', 'þ:th', 'Þ:th'].map((pair) => pair.split(':') as [string, string]);

export const SEP = '[ ./()-]*';
export const TELEPHONE =
  `(?<![0-9])(?:(?:\\+|00)${SEP}(?!3${SEP}4)[1-9](?:${SEP}[0-9]){6,14}(?![0-9])` +
  `|(?:(?:\\+|00)${SEP}34${SEP}|34${SEP})?[6-9](?:${SEP}[0-9]){8}(?![0-9]))`;
const POSTCODES = [
  '(?<![0-9])[0-9]{4,5}(?=[.,]0{1,2}(?![0-9]))',
  '(?<![0-9])[0-9](?:[ .,-]?[0-9]){4}(?![0-9])',
  '(?<![0-9])[0-9][ .]?[0-9]{3}(?![0-9]|-[0-9])',
];
const PURE = 'LANGUAGE sql IMMUTABLE PARALLEL SAFE AS';
export const FAST = 'LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS';
export const PLAIN_TELEPHONE = '^[6-9](?: ?[0-9]){8}$';
const ASCII = 'octet_length(t) = length(t)';

/*
 * Functions in indexes call nothing but PostgreSQL's own: indexes are built without a search path.
 */
const CLEAN = `normalize(regexp_replace(regexp_replace(regexp_replace(t, '[${INVISIBLE}]', '', 'g'),
  '\\r\\n?|[\u2028\u2029\u0085]', chr(10), 'g'), '[${SPACES}]', ' ', 'g'), NFC)`;
const WIDE = `CASE WHEN ${ASCII} THEN t ELSE regexp_replace(normalize(${CLEAN}, NFKC), '[${DASHES}]', '-', 'g') END`;
export const WRITTEN = `regexp_replace(coalesce(${WIDE}, ''), '\\( *0 *\\)', '', 'g')`;
export const NATIONAL = (text: string) =>
  `regexp_replace(regexp_replace(${text}, '[^0-9]', '', 'g'), '^(00(?=[1-9]))?(34(?=[0-9]{9}$))?', '')`;

const PERSONA = `(CASE WHEN length(telefono(cliente_telefono)) >= 6 THEN right(telefono(cliente_telefono), 9)
  ELSE normaliza(cliente_nombre) || ' ' || coalesce(nullif(codigo_postal(cliente_codigo_postal), ''), cliente_codigo_postal, '') END)`;

const FUNCTIONS = [
  `CREATE OR REPLACE FUNCTION limpia(t text) RETURNS text ${PURE} $$
    SELECT CASE WHEN ${ASCII} AND strpos(t, chr(13)) = 0 THEN t
      ELSE ${CLEAN} END $$`,
  `CREATE OR REPLACE FUNCTION normaliza(t text) RETURNS text ${PURE} $$
    SELECT CASE WHEN ${ASCII} THEN lower(t)
      ELSE ${DOUBLE.reduce(
        (text, [from, to]) => `replace(${text}, '${from}', '${to}')`,
        `lower(translate(regexp_replace(normalize(replace(regexp_replace(t, '[${INVISIBLE}]', '', 'g'), '´', ''''), NFKD), '[${MARKS}]', '', 'g'),
          '${FROM}', '${TO.replaceAll("'", "''")}'))`,
      )} END $$`,
  // PL/pgSQL where nothing can be inlined: it is called four times for each new order.
  // First telephone of a field, in digits.
  `CREATE OR REPLACE FUNCTION telefono(t text) RETURNS text ${FAST} $$
    BEGIN
      IF t IS NULL THEN RETURN ''; END IF;
      IF t ~ '${PLAIN_TELEPHONE}' THEN RETURN replace(t, ' ', ''); END IF;
      t := ${WRITTEN};
      RETURN ${NATIONAL(`coalesce(substring(t from '${TELEPHONE}'), substring(t from '[0-9](?:${SEP}[0-9])*'), '')`)};
    END $$`,
  // All telephones of a field, for searching.
  `CREATE OR REPLACE FUNCTION telefonos(t text) RETURNS text ${FAST} $$
    BEGIN
      IF t IS NULL THEN RETURN ''; END IF;
      IF t ~ '${PLAIN_TELEPHONE}' THEN RETURN replace(t, ' ', ''); END IF;
      t := ${WRITTEN};
      RETURN coalesce((SELECT string_agg(${NATIONAL('m[1]')}, ' ') FROM regexp_matches(t, '(${TELEPHONE})', 'g') m), regexp_replace(t, '[^0-9]', '', 'g'));
    END $$`,
  `CREATE OR REPLACE FUNCTION codigo_postal(t text) RETURNS text ${FAST} $$
    BEGIN
      IF t IS NULL OR t ~ '^[0-9]{5}$' THEN RETURN coalesce(t, ''); END IF;
      t := btrim(${WIDE});
      IF t ~* '^(?!(?:e|es|esp|cp)[ -]?[0-9])[a-z]{1,3}[ -]?[0-9]' THEN RETURN ''; END IF;
      RETURN coalesce(lpad(regexp_replace(coalesce(${POSTCODES.map((pattern) => `substring(t from '${pattern}')`).join(', ')}), '[^0-9]', '', 'g'), 5, '0'), '');
    END $$`,
  `CREATE OR REPLACE FUNCTION en_zonas(zonas text, postcode text) RETURNS boolean ${PURE} $$
    SELECT coalesce(codigo_postal(postcode) LIKE ANY (string_to_array(replace(zonas, '*', '%'), ', ')), false) $$`,
  `CREATE OR REPLACE FUNCTION clave_cliente(nombre text, telefono text, codigo_postal text) RETURNS text ${PURE} $$
    SELECT CASE
      WHEN btrim(coalesce(nombre, '')) IN ('', 'Cliente anonimizado', 'Cliente bloqueado') THEN NULL
      WHEN length(t.cifras) >= 9 THEN 't:' || t.cifras
      ELSE 'n:' || normaliza(regexp_replace(btrim(limpia(nombre)), '\\s+', ' ', 'g')) || '|' ||
        coalesce(nullif(codigo_postal($3), ''), btrim($3), '') END
    FROM (SELECT telefono($2) AS cifras) t $$`,
  `CREATE OR REPLACE FUNCTION texto_cliente(nombre text, telefono text) RETURNS text ${PURE} $$
    SELECT normaliza(' ' || nombre || ' ' || coalesce($2, '') || ' ' || telefonos($2)) $$`,
];

/** Spain as it may stand in a country's field. */
const SPAIN = /^(es|esp|spain|espa[nñ]a|espanya|espainia|espagne|spanien|reino de espa[nñ]a)?$/;
const FIELDS = ['nombre', 'telefono', 'direccion', 'direccion2', 'codigo_postal', 'ciudad', 'provincia', 'pais'].map(
  (name) => `cliente_${name}`,
);
const TEXTS = [...FIELDS, 'instrucciones'];
const NAMED = [
  ['products', 'name'],
  ['product_packs', 'name'],
  ['product_packs', 'alias'],
] as const;

/** Joins customers that were two only by how they are written; those joined keep their orders, note and block, and can be separated. */
const JOIN = `
  CREATE TEMP TABLE claves_nuevas ON COMMIT DROP AS
    SELECT c.id, c.revendedor_id, c.pedidos, c.created_at, c.clave AS antes, k.clave FROM clientes c
    CROSS JOIN LATERAL (
      SELECT clave_cliente(p.cliente_nombre, p.cliente_telefono, p.cliente_codigo_postal) AS clave FROM pedidos p WHERE p.cliente_id = c.id
      ORDER BY p.deleted_at IS NULL DESC, p.fecha_pedido DESC, p.id DESC LIMIT 1) k
    WHERE k.clave IS NOT NULL;
  DO $$
    DECLARE otro record; raiz uuid; unidos int := 0; tocados uuid[] := '{}';
    BEGIN
      FOR otro IN
        SELECT n.id, first_value(n.id) OVER juntos AS primero FROM claves_nuevas n
        WINDOW juntos AS (PARTITION BY n.revendedor_id, n.clave ORDER BY n.clave = n.antes DESC, n.pedidos DESC, n.created_at, n.id)
        ORDER BY n.created_at, n.id
      LOOP
        CONTINUE WHEN otro.id = otro.primero;
        SELECT principal INTO raiz FROM clientes WHERE id = otro.primero;
        CONTINUE WHEN raiz = (SELECT principal FROM clientes WHERE id = otro.id);
        tocados := tocados || raiz || (SELECT array_agg(id) FROM clientes WHERE principal = (SELECT principal FROM clientes WHERE id = otro.id));
        UPDATE clientes SET unido_a = raiz, updated_at = now() WHERE principal = (SELECT principal FROM clientes WHERE id = otro.id);
        unidos := unidos + 1;
      END LOOP;
      UPDATE clientes c SET clave = n.clave FROM (
        SELECT DISTINCT ON (revendedor_id, clave) * FROM claves_nuevas
        ORDER BY revendedor_id, clave, clave = antes DESC, pedidos DESC, created_at, id) n
        WHERE n.id = c.id AND n.clave <> n.antes
          AND NOT EXISTS (SELECT 1 FROM clientes o WHERE o.clave = n.clave AND o.revendedor_id IS NOT DISTINCT FROM n.revendedor_id);
      IF unidos > 0 THEN
        PERFORM contar_clientes(tocados);
        INSERT INTO audit_logs (type, action, entity_type, description, actor_role, actor_nombre) VALUES ('pedido', 'update', 'cliente',
          CASE unidos WHEN 1 THEN '1 cliente unido a otro' ELSE unidos || ' clientes unidos a otros' END ||
          ' al actualizar: eran dos solo por cómo estaba escrito su teléfono, su nombre o su código postal', 'sistema', 'Sistema');
      END IF;
    END $$`;

export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  for (const statement of FUNCTIONS) await run(statement);
  // PostgreSQL does not rebuild an index when a function in its expression changes.
  await run('REINDEX INDEX audit_logs_texto');
  await run('DROP INDEX pedidos_persona');
  await run(`CREATE INDEX pedidos_persona ON pedidos (${PERSONA}) WHERE anonimizado_at IS NULL AND bloqueado_at IS NULL`);
  for (const statement of JOIN.split(/(?<=k\.clave IS NOT NULL;)/)) await run(statement);
  await run('SET CONSTRAINTS ALL IMMEDIATE');

  const { rows } = await sql<{ pais: string | null }>`SELECT DISTINCT cliente_pais AS pais FROM pedidos`.execute(db);
  const spain = rows.flatMap(({ pais }) => (pais !== null && SPAIN.test(pais.normalize('NFC').trim().toLowerCase()) ? [pais] : []));
  // Customers have their keys already.
  await run('ALTER TABLE pedidos DISABLE TRIGGER pedidos_cliente_update');
  for (const name of TEXTS) {
    await run(`UPDATE pedidos SET ${name} = limpia(${name}) WHERE octet_length(${name}) <> length(${name}) AND ${name} <> limpia(${name})
      AND btrim(limpia(${name})) <> ''`);
  }
  await sql`UPDATE pedidos SET cliente_codigo_postal = codigo_postal(cliente_codigo_postal)
    WHERE (cliente_pais IS NULL OR cliente_pais = ANY (${spain}::text[])) AND cliente_codigo_postal <> codigo_postal(cliente_codigo_postal)
      AND codigo_postal(cliente_codigo_postal) <> ''`.execute(db);
  await sql`UPDATE pedidos SET cliente_pais = 'España' WHERE cliente_pais = ANY (${spain}::text[]) AND cliente_pais <> 'España'`.execute(
    db,
  );
  await run('ALTER TABLE pedidos ENABLE TRIGGER pedidos_cliente_update');
  for (const [table, name] of NAMED) await run(`UPDATE ${table} SET ${name} = limpia(${name}) WHERE ${name} <> limpia(${name})`);
  await run('UPDATE clientes SET busqueda = texto_cliente(nombre, telefono) WHERE busqueda <> texto_cliente(nombre, telefono)');
}
