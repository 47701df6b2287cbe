import { type RawBuilder, sql } from 'kysely';
import type { Answer } from '../../contract/kit/endpoint.ts';
import type { porCobrarStats } from '../../contract/stats/stats.ts';
import type { Db } from '../db/open.ts';
import { isUnpaid } from '../pedidos/lectura/filter.ts';

type Figures = Answer<typeof porCobrarStats>;

const MAX_CUSTOMERS = 500;

const since = sql`dia_negocio(coalesce(CASE WHEN p.estado = 'completado' THEN p.fecha_completado END, p.fecha_pedido))`;
const days = sql`dia_negocio(now()) - ${since}`;
const euros = (where: RawBuilder<unknown>) => sql`(coalesce(sum(p.pendiente_cents) FILTER (WHERE ${where}), 0) / 100.0)::float8`;
const delivered = sql`p.estado = 'completado'`;
const AMOUNTS = sql`
  count(*)::int AS pedidos,
  ${euros(sql`${delivered} AND ${days} <= 7`)} AS entregado_7,
  ${euros(sql`${delivered} AND ${days} BETWEEN 8 AND 30`)} AS entregado_30,
  ${euros(sql`${delivered} AND ${days} > 30`)} AS entregado_mas,
  ${euros(sql`NOT (${delivered})`)} AS por_entregar,
  ${euros(sql`true`)} AS total`;
const DUE = sql`p.deleted_at IS NULL AND ${isUnpaid}`;

/** Returns the money still to be collected, in euros, by customer and by age. */
export async function toCollect(db: Db): Promise<Figures> {
  const all = await sql<Omit<Figures, 'data'>>`SELECT ${AMOUNTS} FROM pedidos p WHERE ${DUE}`.execute(db);
  const { rows: data } = await sql<Figures['data'][number]>`
    SELECT cliente_id, pedido_id, nombre, pedidos, desde, entregado_7, entregado_30, entregado_mas, por_entregar, total FROM (
      SELECT c.principal AS cliente_id, min(p.cliente_nombre) AS nombre, min(${since})::text AS desde,
        (array_agg(p.id ORDER BY ${since}, p.id))[1] AS pedido_id, ${AMOUNTS}
      FROM pedidos p LEFT JOIN clientes c ON c.id = p.cliente_id WHERE ${DUE}
      GROUP BY c.principal, CASE WHEN c.principal IS NULL THEN p.id END) d
    ORDER BY total - por_entregar DESC, total DESC, desde LIMIT ${MAX_CUSTOMERS}`.execute(db);
  return { ...(all.rows[0] as Omit<Figures, 'data'>), data };
}
