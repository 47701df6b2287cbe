import { sql } from 'kysely';
import type { Answer, QueryIn } from '../../contract/kit/endpoint.ts';
import { POR_DEVOLVER } from '../../contract/payments/fields.ts';
import { DIAS, type Dia } from '../../contract/pedidos/day.ts';
import { pedidosQuery } from '../../contract/pedidos/filters.schemas.ts';
import type { listPedidos as listEndpoint } from '../../contract/pedidos/pedidos.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import type { hoyStats } from '../../contract/stats/stats.ts';
import type { Db } from '../db/open.ts';
import { toEuros } from '../kit/money.ts';
import { listPedidos } from '../pedidos/lectura/list.ts';
import { presentFull } from '../pedidos/lectura/present.ts';
import { daySql } from '../pedidos/lectura/situation.ts';
import { cashWaiting } from '../pedidos/pagos/cash.ts';
import { pendingWork } from './dashboard.ts';
import { adminStats } from './stats.ts';

type Today = Answer<typeof hoyStats>['data'];

/** Number of orders, products and boxes named in each line of «Hoy»; the line links to all. */
const NAMED = 2;

/** Returns what the office has to do today; each count equals the total of its linked list. `origin` is the base of payment links. */
export async function todayFigures(db: Db, actor: Actor, origin: string): Promise<Today> {
  const first = async (query: QueryIn<typeof listEndpoint>) => {
    const page = await listPedidos(db, actor, pedidosQuery.parse({ ...query, per_page: NAMED }));
    return page.data.map((row) => presentFull(actor, row, origin));
  };
  const cash = cashWaiting(db);
  const [atencion, dia, sinEntregar, transferencias, reembolsos, boxes, stock, days] = await Promise.all([
    pendingWork(db, cash),
    byCarrier(db),
    first({ incidencia: 'si', sort: 'fecha_estimada', dir: 'asc' }),
    first({ transferencia: 'si' }),
    first({ devolucion: 'pendiente' }),
    cash,
    db
      .selectFrom('products')
      .select(['id', 'name', 'stock'])
      .whereRef('stock', '<=', 'min_stock')
      .orderBy('stock')
      .orderBy('name')
      .limit(NAMED)
      .execute(),
    sql<{
      hoy: string;
      desde: string;
      web: number;
    }>`SELECT dia_negocio(now())::text AS hoy, date_trunc('month', dia_negocio(now()))::date::text AS desde,
      (SELECT count(*) FROM tienda_pedidos t JOIN pedidos p ON p.id = t.pedido_id
        WHERE p.deleted_at IS NULL AND dia_negocio(p.created_at) = dia_negocio(now()))::int AS web`.execute(db),
  ]);
  const { hoy = '', desde = '', web = 0 } = days.rows[0] ?? {};
  const { ingresos } = await adminStats(db, { from: desde, to: hoy });
  const owed = await owedBack(
    db,
    reembolsos.map(({ id }) => id),
  );
  return {
    hoy,
    atencion,
    dia,
    sinEntregar,
    transferencias,
    reembolsos: reembolsos.map((pedido) => ({ ...pedido, por_reembolsar: pedido.por_reembolsar + (owed.get(pedido.id) ?? 0) })),
    cajas: boxes.slice(0, NAMED),
    stock,
    web,
    mes: { desde, ingresos },
  };
}

const counted = (dia: Dia) => sql`(count(*) FILTER (WHERE ${daySql[dia]}))::int AS ${sql.ref(dia)}`;
const inDay = sql<boolean>`deleted_at IS NULL AND (${sql.join(
  DIAS.map((dia) => daySql[dia]),
  sql` OR `,
)})`;

/** The day by carrier, with the euros collected at the door today; orders without a carrier come last. */
export async function byCarrier(db: Db): Promise<Today['dia']> {
  const { rows } = await sql<Today['dia'][number]>`
    SELECT coalesce(transportista_id::text, 'sin') AS transportista_id, coalesce(u.full_name, 'Sin asignar') AS nombre,
      coalesce(toca, 0) AS toca, coalesce(calle, 0) AS calle, coalesce(hecho, 0) AS hecho, coalesce(decidir, 0) AS decidir,
      (coalesce(cents, 0) / 100.0)::float8 AS cobrado
    FROM (SELECT transportista_id, ${sql.join(DIAS.map(counted))} FROM pedidos WHERE ${inDay} GROUP BY transportista_id) d
    FULL JOIN (SELECT transportista_id, sum(importe_cents) AS cents FROM pagos
      WHERE transportista_id IS NOT NULL AND al_entregar AND estado <> 'anulado' AND fecha = dia_negocio(now()) GROUP BY transportista_id) g
      USING (transportista_id)
    LEFT JOIN users u ON u.id = transportista_id
    ORDER BY transportista_id IS NULL, toca + calle + hecho DESC NULLS LAST, nombre`.execute(db);
  return rows;
}

/** The day of the orders of one carrier. */
export async function dayOfCarrier(db: Db, id: string): Promise<Record<Dia, number>> {
  const { rows } = await sql<Record<Dia, number>>`
    SELECT ${sql.join(DIAS.map(counted))} FROM pedidos WHERE transportista_id = ${id} AND ${inDay}`.execute(db);
  // Counts without GROUP BY: always one row.
  return rows[0]!;
}

/** Euros of the payments that must go back whole, by order. */
async function owedBack(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('pagos')
    .select((eb) => ['pedido_id', eb.fn.sum<number>(sql`importe_cents - devuelto_cents`).as('cents')])
    .where('estado', 'in', POR_DEVOLVER)
    .where('pedido_id', 'in', ids.length ? ids : [null])
    .groupBy('pedido_id')
    .execute();
  return new Map(rows.map(({ pedido_id, cents }) => [pedido_id ?? '', toEuros(Number(cents))]));
}
