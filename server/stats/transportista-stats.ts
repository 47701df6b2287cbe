import { sql } from 'kysely';
import type { Answer, QueryOut } from '../../contract/kit/endpoint.ts';
import { EN_MANOS, ESTADOS, GRUPO_ESTADOS } from '../../contract/pedidos/estados.ts';
import type { Person } from '../../contract/policy/policy.ts';
import type { transportistaStats as endpoint, transportistasStats } from '../../contract/stats/stats.ts';
import type { Db } from '../db/open.ts';
import { toEuros } from '../kit/money.ts';
import { availableSql } from '../pedidos/lectura/scope.ts';
import { offeredIn } from '../pedidos/lineas/zonas.ts';
import { startOfDay } from '../settings/zone.ts';
import { dayOfCarrier } from './today.ts';
import { readTotals } from './totals.ts';

/** Returns the counts of the carrier's dashboard, without amounts. */
export async function transportistaStats(db: Db, actor: Person): Promise<Answer<typeof endpoint>['data']> {
  const mine = { ambito: 'transportista', id: actor.id } as const;
  const today = await businessToday(db);
  const [own, ownThisMonth, hoy, offered] = await Promise.all([
    readTotals(db, mine),
    readTotals(db, mine, { from: today.month_start, to: today.month_end }),
    dayOfCarrier(db, actor.id),
    offeredTo(db, actor, today),
  ]);
  return {
    disponibles: offered.all,
    disponiblesSemana: offered.thisWeek,
    asignados: own.count(['asignado']),
    porEntregar: own.count(EN_MANOS),
    completadasHoy: hoy.hecho,
    hoy,
    mes: {
      entregados: ownThisMonth.count(GRUPO_ESTADOS.completado),
      total: ownThisMonth.count(ESTADOS.filter((estado) => !GRUPO_ESTADOS.cancelado.includes(estado))),
    },
  };
}

type Today = { day: string; week_start: string; month_start: string; month_end: string };

async function businessToday(db: Db): Promise<Today> {
  const { rows } = await sql<Today>`
    SELECT day, day - 6 AS week_start,
      date_trunc('month', day)::date AS month_start, (date_trunc('month', day) + interval '1 month - 1 day')::date AS month_end
    FROM (SELECT dia_negocio(now()) AS day) AS today`.execute(db);
  // The subquery has no FROM, so there is always one row.
  return rows[0]!;
}

// Counts the orders themselves, which are few: the daily totals know neither zones nor orders handed to a company.
async function offeredTo(db: Db, actor: Person, { week_start, day }: Today) {
  const isThisWeek = sql`dia_negocio(fecha_pedido) BETWEEN ${week_start}::date AND ${day}::date`;
  return db
    .selectFrom('pedidos')
    .select([sql<number>`count(*)::int`.as('all'), sql<number>`(count(*) FILTER (WHERE ${isThisWeek}))::int`.as('thisWeek')])
    .where(availableSql(actor))
    .where(offeredIn(actor))
    .executeTakeFirstOrThrow();
}

const DAYS_BEFORE = { hoy: 0, '7d': 6, '30d': 29 };

/** Returns deliveries per carrier and per company today, or in the last 7 or 30 days, today included. */
export async function deliveriesByCarrier(
  db: Db,
  { periodo }: QueryOut<typeof transportistasStats>,
): Promise<Answer<typeof transportistasStats>> {
  const { rows: range } = await sql<{
    desde: string;
    hasta: string;
  }>`SELECT dia_negocio(now()) - ${DAYS_BEFORE[periodo]}::int AS desde, dia_negocio(now()) AS hasta`.execute(db);
  const { desde = '', hasta = '' } = range[0] ?? {};
  const { rows } = await sql<Answer<typeof transportistasStats>['data'][number]>`
    SELECT coalesce(p.transportista_id::text, 'sin') AS transportista_id, coalesce(max(p.transportista_nombre), 'Sin asignar') AS nombre,
      count(*) AS completados, round(avg(extract(epoch FROM p.fecha_completado - p.fecha_pedido)) / 3600, 1) AS horas_medias
    FROM pedidos p
    WHERE p.deleted_at IS NULL AND p.fecha_completado >= ${startOfDay(desde)}
    GROUP BY p.transportista_id ORDER BY completados DESC, nombre`.execute(db);
  return { desde, hasta, data: rows, empresas: await deliveriesByCompany(db, desde) };
}

/** Returns what companies did since a day: deliveries (also those by hand that they collected), failures, days, and commission in euros. */
async function deliveriesByCompany(db: Db, desde: string): Promise<Answer<typeof transportistasStats>['empresas']> {
  const { rows } = await sql<Omit<Answer<typeof transportistasStats>['empresas'][number], 'comision'> & { cents: number }>`
    SELECT empresa, sum(completados)::int AS completados, sum(no_entregados)::int AS no_entregados,
      max(dias_medios)::float AS dias_medios, sum(cents)::int AS cents
    FROM (
      SELECT coalesce(p.en_empresa, g.empresa) AS empresa, count(*) AS completados, 0 AS no_entregados,
        round(avg(extract(epoch FROM p.fecha_completado - p.en_empresa_at)) / 86400, 1) AS dias_medios, 0 AS cents
      FROM pedidos p LEFT JOIN LATERAL (
        SELECT empresa FROM pagos WHERE pedido_id = p.id AND empresa IS NOT NULL AND estado <> 'anulado' LIMIT 1) g ON p.en_empresa IS NULL
      WHERE p.deleted_at IS NULL AND coalesce(p.en_empresa, g.empresa) IS NOT NULL AND p.fecha_completado >= ${startOfDay(desde)} GROUP BY 1
      UNION ALL
      SELECT e.empresa, 0, count(DISTINCT o.pedido_id), NULL, 0
      FROM envios e JOIN envios_pedidos o ON o.envio_id = e.id JOIN pedidos p ON p.id = o.pedido_id
      WHERE p.deleted_at IS NULL AND o.resultado = 'incidencia' AND e.respondido_at >= ${startOfDay(desde)} GROUP BY 1
      UNION ALL
      SELECT empresa, 0, 0, NULL, sum(comision_cents) FROM remesas WHERE anulada_at IS NULL AND fecha >= ${desde}::date GROUP BY 1
    ) AS each GROUP BY empresa ORDER BY 2 DESC, 1`.execute(db);
  return rows.map(({ cents, ...row }) => ({ ...row, comision: toEuros(cents) }));
}
