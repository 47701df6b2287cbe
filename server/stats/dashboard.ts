import { sql } from 'kysely';
import type { Answer } from '../../contract/kit/endpoint.ts';
import { POR_DEVOLVER, POR_REVISAR } from '../../contract/payments/fields.ts';
import { CON_INGRESO } from '../../contract/pedidos/estados.ts';
import { MAX_DIAS_SERIE } from '../../contract/stats/fields.ts';
import type { atencionStats, serieStats } from '../../contract/stats/stats.ts';
import type { Db } from '../db/open.ts';
import { GOODS_OUT } from '../devoluciones/goods.ts';
import { invalid } from '../kit/errors.ts';
import { toEuros } from '../kit/money.ts';
import { ordersWithoutRate } from '../pedidos/escritura/rates.ts';
import { isRefundDue } from '../pedidos/lectura/filter.ts';
import { SHOP_PROBLEM } from '../pedidos/lectura/shop-problem.ts';
import { situationSql } from '../pedidos/lectura/situation.ts';
import { ALL_TIME, ZERO_ID } from '../pedidos/lectura/totals.ts';
import { cashWaiting, lateWithCompany, toCompare, withCompany } from '../pedidos/pagos/cash.ts';
import { readSettings } from '../settings/settings.ts';

const DAY_MS = 86_400_000;

/** Returns orders and income (euros) per day, and totals of the range before. Throws 422 for a wrong range. */
export async function dailyFigures(db: Db, { from, to }: { from: string; to: string }): Promise<Answer<typeof serieStats>> {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  if (days < 1) throw invalid('to', 'La fecha final es anterior a la inicial');
  if (days > MAX_DIAS_SERIE) throw invalid('to', 'Elige como máximo dos años');
  const before = { desde: shift(from, -days), hasta: shift(from, -1) };
  const { rows } = await sql<{ dia: string; pedidos: number; cents: number }>`
    SELECT d::date AS dia, coalesce(sum(t.pedidos), 0)::bigint AS pedidos,
      coalesce(sum(t.total_cents) FILTER (WHERE t.estado IN (${sql.join(CON_INGRESO)})), 0)::bigint AS cents
    FROM generate_series(${before.desde}::date, ${to}::date, interval '1 day') d
    LEFT JOIN pedidos_totales t ON t.ambito = 'todo' AND t.ambito_id = ${ZERO_ID} AND t.dia = d::date AND t.dia BETWEEN ${before.desde} AND ${to}
    GROUP BY d ORDER BY d`.execute(db);
  const earlier = rows.slice(0, days);
  const points = rows.map(({ dia, pedidos, cents }) => ({ dia, pedidos, ingresos: toEuros(cents) }));
  return {
    data: points.slice(days),
    anterior: {
      ...before,
      totalPedidos: earlier.reduce((sum, row) => sum + row.pedidos, 0),
      ingresos: toEuros(earlier.reduce((sum, row) => sum + row.cents, 0)),
      dias: points.slice(0, days),
    },
  };
}

/** Returns the counts of pending work; each count equals the total of its linked list. `cash` waits for the office. */
export async function pendingWork(db: Db, cash = cashWaiting(db)): Promise<Answer<typeof atencionStats>['data']> {
  const { warnBackupsHere, storeActive } = await readSettings(db);
  const { rows } = await sql<Answer<typeof atencionStats>['data']>`
    SELECT
      d."sinPagar", d."porCobrar", d."porCobrarImporte",
      (SELECT count(*) FROM pedidos WHERE deleted_at IS NULL AND ${situationSql('atrasado')}) AS atrasados,
      (SELECT count(*) FROM pedidos WHERE deleted_at IS NULL AND ${situationSql('espera_respuesta')}) AS incidencias,
      (SELECT count(*) FROM pedidos WHERE deleted_at IS NULL AND ${situationSql('transferencia_avisada')}) AS transferencias,
      (SELECT count(*) FROM (
        SELECT pedido_id FROM pagos WHERE estado IN (${sql.join(POR_DEVOLVER)})
        UNION SELECT id FROM pedidos WHERE ${isRefundDue}) x) AS devoluciones,
      ${(await cash).length}::int AS cajas,
      (SELECT (coalesce(sum(importe_cents), 0) / 100.0)::float8 FROM pagos WHERE ${withCompany}) AS "conEmpresasImporte",
      (SELECT count(*) FROM pagos WHERE ${lateWithCompany}) AS "empresasTarde",
      (SELECT count(*) FROM pagos WHERE ${toCompare}) AS cobros,
      (SELECT count(*) FROM pedidos_historial WHERE cobrado_cents IS NOT NULL AND registrado_at IS NULL) AS "sinRegistrar",
      (SELECT count(DISTINCT d.id) FROM devoluciones_lineas l JOIN devoluciones d ON d.id = l.devolucion_id
        WHERE l.destino = 'camino' AND d.anulada_at IS NULL) + (SELECT count(*) FROM pedidos WHERE ${GOODS_OUT}) AS mercancia,
      (SELECT count(*) FROM payment_events WHERE resultado IN (${sql.join(POR_REVISAR.map(sql.lit))}) AND (resolucion IS NULL OR resolucion = 'devolver'))
        + (SELECT count(*) FROM movimientos WHERE resto_cents <> 0 AND (resolucion IS NULL OR resolucion = 'devolver')) AS "pagosPorRevisar",
      (SELECT count(*) FROM tienda_pedidos WHERE estado = 'por_revisar' OR aviso IS NOT NULL) AS tienda,
      (SELECT count(*) FROM tiendas s WHERE ${storeActive}::boolean AND ${SHOP_PROBLEM} IS NOT NULL) AS tiendas,
      ${await ordersWithoutRate(db)}::int AS "sinTipoIva",
      (SELECT count(*) FROM products WHERE stock <= min_stock) AS "stockBajo",
      (SELECT count(*) FROM job_failures) AS tareas,
      coalesce((SELECT num_diferencias FROM cuadres WHERE ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT 1), 0) AS cuadre,
      -- From the third day on, so that a new shop is not met by it.
      (SELECT (EXISTS (SELECT FROM backups WHERE estado = 'verificada' AND created_at < now() - interval '3 days')
        AND NOT EXISTS (SELECT FROM backups WHERE fuera_at IS NOT NULL AND created_at > now() - interval '3 days')
        AND ${warnBackupsHere}::boolean)::int) AS "copiasAqui"
    FROM (SELECT coalesce(sum(pedidos) FILTER (WHERE estado = 'pendiente_pago'), 0)::bigint AS "sinPagar",
        coalesce(sum(por_cobrar), 0)::bigint AS "porCobrar", (coalesce(sum(por_cobrar_cents), 0) / 100.0)::float8 AS "porCobrarImporte"
      FROM pedidos_totales WHERE ambito = 'todo' AND dia = ${ALL_TIME}) d`.execute(db);
  // Counts without GROUP BY: always one row.
  return rows[0]!;
}

const shift = (day: string, by: number) => new Date(Date.parse(day) + by * DAY_MS).toISOString().slice(0, 10);
