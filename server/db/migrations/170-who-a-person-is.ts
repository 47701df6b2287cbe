import { type Kysely, sql } from 'kysely';
import { countryNames } from '../../../contract/text/country-code.ts';
import { PREFIXES } from '../../../contract/text/telephone.ts';
import { FAST, NATIONAL, PLAIN_TELEPHONE, SEP, TELEPHONE, WRITTEN } from './085-one-reading-of-text.ts';

/* A made-up telephone identifies nobody, and a number is read with the country of its order, as contract/text/telephone.ts does. */

const known = Object.entries(PREFIXES);
const quoted = (texts: readonly string[]) => texts.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ');
const fixed = known.flatMap(([, [prefix, figures]]) => (figures ? [{ prefix, figures }] : []));
const NAMES = known.map(([code, [prefix]]) => `WHEN nombre IN (${quoted(countryNames(code))}) THEN '${prefix}'`).join('\n        ');

/** Key of a person in the index of data protection. Must match `CLAVE` of server/privacidad/persona.ts. */
const PERSONA = `(CASE WHEN es_inventado(telefono(cliente_telefono, prefijo(cliente_pais)))
  THEN normaliza(cliente_nombre) || ' ' || coalesce(nullif(codigo_postal(cliente_codigo_postal), ''), cliente_codigo_postal, '')
  ELSE telefono(cliente_telefono, prefijo(cliente_pais)) END)`;
const KEY = (row: string) => ['nombre', 'telefono', 'codigo_postal', 'pais'].map((name) => `${row}.cliente_${name}`).join(', ');

// Functions in indexes call nothing but PostgreSQL's own: indexes are built without a search path.
const FUNCTIONS = [
  `CREATE OR REPLACE FUNCTION prefijo(pais text) RETURNS text ${FAST} $$
    DECLARE nombre text;
    BEGIN
      IF pais IS NULL OR pais = 'España' THEN RETURN NULL; END IF;
      nombre := btrim(regexp_replace(translate(regexp_replace(lower(normalize(pais, NFKD)), '[\u0300-\u036f]', '', 'g'), 'øłđ', 'old'),
        '[^a-z0-9]+', ' ', 'g'));
      RETURN CASE ${NAMES} END;
    END $$`,
  `CREATE OR REPLACE FUNCTION telefono(t text, prefijo text) RETURNS text ${FAST} $$
    DECLARE
      escrito text; cifras text;
      largo int := CASE prefijo ${fixed.map(({ prefix, figures }) => `WHEN '${prefix}' THEN ${figures}`).join(' ')} END;
    BEGIN
      IF t IS NULL THEN RETURN ''; END IF;
      IF prefijo IS NULL AND t ~ '${PLAIN_TELEPHONE}' THEN RETURN replace(t, ' ', ''); END IF;
      t := ${WRITTEN};
      escrito := coalesce(substring(t from '${TELEPHONE}'), substring(t from '[0-9](?:${SEP}[0-9])*'), '');
      cifras := regexp_replace(escrito, '[^0-9]', '', 'g');
      IF prefijo IS NULL OR escrito ~ '^([+]|00)' OR length(cifras) < 6 THEN RETURN ${NATIONAL('escrito')}; END IF;
      IF starts_with(cifras, prefijo) AND length(cifras) = length(prefijo) + coalesce(largo, 9) THEN RETURN cifras; END IF;
      IF prefijo <> '39' THEN cifras := regexp_replace(cifras, '^0', ''); END IF;
      IF length(cifras) <> largo THEN RETURN ${NATIONAL('escrito')}; END IF;
      RETURN prefijo || cifras;
    END $$`,
  `CREATE OR REPLACE FUNCTION es_inventado(cifras text) RETURNS boolean ${FAST} $$
    DECLARE final text := right(cifras, 8);
    BEGIN
      RETURN length(cifras) < 9 OR final = repeat(left(final, 1), 8)
        OR strpos('01234567890123456789', final) > 0 OR strpos('98765432109876543210', final) > 0
        OR (cifras !~ '^[6-9][0-9]{8}$' AND cifras ~ '^(?:${fixed.map(({ prefix, figures }) => `${prefix}[0-9]{0,${figures - 1}}`).join('|')})$');
    END $$`,
  // Replaces the function of three arguments, whose callers are rewritten below.
  `CREATE OR REPLACE FUNCTION clave_cliente(nombre text, telefono text, codigo_postal text, pais text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
      WHEN btrim(coalesce(nombre, '')) IN ('', 'Cliente anonimizado', 'Cliente bloqueado') THEN NULL
      WHEN NOT es_inventado(t.cifras) THEN 't:' || t.cifras
      ELSE 'n:' || normaliza(regexp_replace(btrim(limpia(nombre)), '\\s+', ' ', 'g')) || '|' ||
        coalesce(nullif(codigo_postal($3), ''), btrim($3), '') END
    FROM (SELECT telefono($2, prefijo($4)) AS cifras) t $$`,
  ...['pedidos_cliente_trigger', 'rehacer_clientes'].map(
    (name) => `DO $do$ BEGIN EXECUTE regexp_replace(pg_get_functiondef('${name}'::regproc),
      '(clave_cliente\\((\\w+)\\.cliente_nombre, \\w+\\.cliente_telefono, \\w+\\.cliente_codigo_postal)\\)', '\\1, \\2.cliente_pais)', 'g'); END $do$`,
  ),
  'DROP FUNCTION IF EXISTS clave_cliente(text, text, text)',
  'DROP TRIGGER pedidos_cliente_update ON pedidos',
  `CREATE TRIGGER pedidos_cliente_update BEFORE UPDATE OF cliente_nombre, cliente_telefono, cliente_codigo_postal, cliente_pais, revendedor_id ON pedidos
    FOR EACH ROW WHEN ((${KEY('OLD')}, OLD.revendedor_id) IS DISTINCT FROM (${KEY('NEW')}, NEW.revendedor_id))
    EXECUTE FUNCTION pedidos_cliente_trigger()`,
  'DROP INDEX pedidos_persona',
  `CREATE INDEX pedidos_persona ON pedidos (${PERSONA}) WHERE anonimizado_at IS NULL AND bloqueado_at IS NULL`,
];

/**
 * Gives each order the customer of its new key. The latest order's customer keeps the row; others become rows joined to it, which «Clientes»
 * offers to separate, because a note or block may be of either.
 */
export const PART = `DO $$
  DECLARE tocados uuid[]; nuevos int;
  BEGIN
    CREATE TEMP TABLE claves ON COMMIT DROP AS
      SELECT p.id, p.cliente_id, p.revendedor_id, p.fecha_pedido, p.deleted_at, k.clave FROM pedidos p JOIN clientes c ON c.id = p.cliente_id
      CROSS JOIN LATERAL (SELECT clave_cliente(${KEY('p')}) AS clave) k WHERE k.clave <> c.clave;
    IF NOT EXISTS (SELECT FROM claves) THEN RETURN; END IF;
    tocados := ARRAY(SELECT DISTINCT cliente_id FROM claves);
    UPDATE clientes c SET clave = n.clave FROM (
      SELECT DISTINCT ON (revendedor_id, clave) * FROM (
        SELECT DISTINCT ON (cliente_id) * FROM claves ORDER BY cliente_id, deleted_at IS NULL DESC, fecha_pedido DESC, id DESC) u
      ORDER BY revendedor_id, clave, fecha_pedido DESC, id DESC) n
      WHERE n.cliente_id = c.id
        AND NOT EXISTS (SELECT FROM pedidos p WHERE p.cliente_id = c.id AND p.id NOT IN (SELECT id FROM claves))
        AND NOT EXISTS (SELECT FROM clientes o WHERE o.clave = n.clave AND o.revendedor_id IS NOT DISTINCT FROM n.revendedor_id);
    INSERT INTO clientes (revendedor_id, clave, unido_a, nombre, telefono, codigo_postal, ciudad, busqueda)
      SELECT DISTINCT ON (n.revendedor_id, n.clave) n.revendedor_id, n.clave, c.principal, p.cliente_nombre, p.cliente_telefono,
        p.cliente_codigo_postal, p.cliente_ciudad, texto_cliente(p.cliente_nombre, p.cliente_telefono)
      FROM claves n JOIN pedidos p ON p.id = n.id JOIN clientes c ON c.id = n.cliente_id
      ORDER BY n.revendedor_id, n.clave, n.deleted_at IS NULL DESC, n.fecha_pedido DESC, n.id DESC
      ON CONFLICT (revendedor_id, clave) DO NOTHING;
    GET DIAGNOSTICS nuevos = ROW_COUNT;
    UPDATE pedidos p SET cliente_id = c.id FROM claves n JOIN clientes c
      ON c.clave = n.clave AND c.revendedor_id IS NOT DISTINCT FROM n.revendedor_id WHERE p.id = n.id;
    PERFORM contar_clientes(tocados || ARRAY(SELECT DISTINCT cliente_id FROM pedidos WHERE id IN (SELECT id FROM claves)));
    INSERT INTO audit_logs (type, action, entity_type, description, actor_role, actor_nombre)
      SELECT 'pedido', 'update', 'cliente', nuevos || CASE nuevos WHEN 1 THEN ' cliente compartía' ELSE ' clientes compartían' END ||
        ' ficha con otro por un teléfono inventado: en «Clientes» están «Por separar»', 'sistema', 'Sistema' WHERE nuevos > 0;
  END $$`;

export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  await run('SET CONSTRAINTS ALL IMMEDIATE');
  for (const statement of FUNCTIONS) await run(statement);
  await run('ALTER TABLE pedidos DISABLE TRIGGER USER');
  await run(PART);
  await run('SET CONSTRAINTS ALL IMMEDIATE');
  await run('ALTER TABLE pedidos ENABLE TRIGGER USER');
}
