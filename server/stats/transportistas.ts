import { sql } from 'kysely';
import type { Answer, QueryOut } from '../../contract/kit/endpoint.ts';
import type { transportistasStats } from '../../contract/stats/stats.ts';
import type { Db } from '../db/open.ts';
import { startOf } from '../settings/zone.ts';

const DAYS_BEFORE = { hoy: 0, '7d': 6, '30d': 29 };

/** Returns deliveries per carrier today, or in the last 7 or 30 days, today included. */
export async function transportistas(
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
    WHERE p.deleted_at IS NULL AND p.fecha_completado >= ${startOf(desde)}
    GROUP BY p.transportista_id ORDER BY completados DESC, nombre`.execute(db);
  return { desde, hasta, data: rows };
}
