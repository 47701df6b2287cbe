import { type RawBuilder, sql } from 'kysely';
import { listFailures as endpoint } from '../../contract/failures/failures.ts';
import { POR_REVISAR } from '../../contract/payments/fields.ts';
import type { Db } from '../db/open.ts';
import type { Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { failingJobs, listFailures } from './failures.ts';

/** Failing background jobs, shown to superadmins, and metrics of what can be silent for days. */
export const failuresFeature: Feature = {
  name: 'failures',
  tables: { job_failures: 'passing' },
  routes: (app, { db }) => {
    const failing = async () => Object.fromEntries((await failingJobs(db)).map((name) => [name, 1]));
    app.metrics?.addGauge('enruta_jobs_failing', 'Jobs that fail, or whose messages do not arrive', failing, 'job');
    app.metrics?.addGauge('enruta_waiting_seconds', 'Age of the oldest that waits for the office, by kind', () => ages(db, WAITS));
    app.metrics?.addGauge('enruta_shop_last_order_seconds', 'Age of the last order of each web shop', () => ages(db, LAST_ORDERS), 'shop');
    route(app, endpoint, async () => ({ data: await listFailures(db) }));
  },
};

/** What waits for the office, by kind: web orders and their unread messages, web shops that do not answer, notices of payments. */
const WAITS = sql`SELECT 'tienda' AS name, recibido_at AS since FROM tienda_pedidos WHERE estado = 'por_revisar' OR aviso IS NOT NULL
  UNION ALL SELECT 'tienda_ilegible', recibido_at FROM tienda_mensajes WHERE resultado = 'ilegible' AND visto_at IS NULL
  UNION ALL SELECT 'tienda_sin_respuesta', coalesce(sondeo_at, created_at) FROM tiendas WHERE estado <> 'ignorada' AND sondeo_error IS NOT NULL
  UNION ALL SELECT 'pago', received_at FROM payment_events
    WHERE resultado IN (${sql.join(POR_REVISAR.map(sql.lit))}) AND (resolucion IS NULL OR resolucion = 'devolver')`;
/** The last order of each web shop, or the shop's beginning. */
const LAST_ORDERS = sql`SELECT nombre AS name, coalesce((SELECT max(recibido_at) FROM tienda_pedidos p WHERE p.tienda_id = s.id), created_at) AS since
  FROM tiendas s WHERE estado <> 'ignorada'`;

/** Returns the age in seconds of the oldest row of each name. */
async function ages(db: Db, rows: RawBuilder<unknown>): Promise<Record<string, number>> {
  const query = sql<{
    name: string;
    age: number;
  }>`SELECT name, extract(epoch FROM now() - min(since))::int AS age FROM (${rows}) r GROUP BY name`;
  return Object.fromEntries((await query.execute(db)).rows.map(({ name, age }) => [name, age]));
}
