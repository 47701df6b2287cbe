import { type SqlBool, sql } from 'kysely';
import { FINALES } from '../../contract/pedidos/estados.ts';
import { MAX_PRIVACIDAD } from '../../contract/privacidad/fields.ts';
import type { Db, Tx } from '../db/open.ts';
import { conflict, notFound } from '../kit/errors.ts';

/** Key of a person: the telephone, else name and postcode. With `UNBLOCKED`, must match the index `pedidos_persona` of migration 170. */
export const CLAVE = sql<string>`(CASE WHEN es_inventado(telefono(cliente_telefono, prefijo(cliente_pais)))
  THEN normaliza(cliente_nombre) || ' ' || coalesce(nullif(codigo_postal(cliente_codigo_postal), ''), cliente_codigo_postal, '')
  ELSE telefono(cliente_telefono, prefijo(cliente_pais)) END)`;
export const UNBLOCKED = sql<SqlBool>`(anonimizado_at IS NULL AND bloqueado_at IS NULL)`;
export const ENDED = sql<SqlBool>`(estado IN (${sql.join(FINALES.map(sql.lit))}) OR deleted_at IS NOT NULL)`;

/** CTEs for a `WITH RECURSIVE`: `persona` groups the keys of table `c` by person. Joined customers are one person. */
export const PERSONA = sql`
  unidos AS MATERIALIZED (SELECT DISTINCT ${CLAVE} AS clave, (SELECT k.principal FROM clientes k WHERE k.id = pedidos.cliente_id) AS grupo
    FROM pedidos WHERE ${UNBLOCKED} AND cliente_id IN (SELECT m.id FROM clientes m
      WHERE m.principal IN (SELECT u.principal FROM clientes u WHERE u.unido_a IS NOT NULL))),
  misma (clave, otra) AS (SELECT clave, clave FROM c
    UNION SELECT m.clave, b.clave FROM misma m JOIN unidos a ON a.clave = m.otra JOIN unidos b ON b.grupo = a.grupo),
  persona AS MATERIALIZED (SELECT clave, array_agg(otra ORDER BY otra) AS claves FROM misma GROUP BY clave)`;

/** Orders by id, or all orders of the person of one order. */
export type Chosen = { persona?: string | undefined; pedidos?: string[] | undefined };

/** Returns the ids of the chosen orders. Throws 404 for a missing order, 409 for too many or a redacted person. */
export async function chosenOrders(db: Db | Tx, { persona, pedidos = [] }: Chosen): Promise<string[]> {
  if (persona === undefined) {
    const ids = [...new Set(pedidos)];
    const rows = await db.selectFrom('pedidos').select('id').where('id', 'in', ids).execute();
    if (rows.length < ids.length) throw notFound();
    return ids;
  }
  const { unblocked } = await db
    .selectFrom('pedidos')
    .select(UNBLOCKED.as('unblocked'))
    .where('id', '=', persona)
    .executeTakeFirstOrThrow(() => notFound());
  if (!unblocked) throw conflict('Ese pedido ya no dice de quién es: elige el pedido mismo');
  const { rows } = await sql<{ id: string }>`
    WITH RECURSIVE c AS (SELECT ${CLAVE} AS clave FROM pedidos WHERE id = ${persona}), ${PERSONA}
    SELECT id FROM pedidos WHERE ${CLAVE} = ANY (ARRAY(SELECT unnest(claves) FROM persona)) AND ${UNBLOCKED}
    ORDER BY id LIMIT ${MAX_PRIVACIDAD + 1}`.execute(db);
  if (rows.length > MAX_PRIVACIDAD) throw conflict(`Son más de ${MAX_PRIVACIDAD} pedidos: elígelos por partes`);
  return rows.map(({ id }) => id);
}
