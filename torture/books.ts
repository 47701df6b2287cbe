import { sql } from 'kysely';
import { CON_INGRESO, ESTADOS, type Estado } from '../contract/pedidos.flow.ts';
import { listPedidos } from '../contract/pedidos.ts';
import { adminStats } from '../contract/stats.ts';
import type { Db } from '../server/db/open.ts';
import type { Client } from '../test/client.ts';
import type { Shop } from './world.ts';

/**
 * Lists imbalances: stock against its ledger, units held by orders against units taken, and shown figures against a
 * recount of the orders.
 */
export async function auditBooks({ inspect }: Pick<Shop, 'inspect'>, admin: Client): Promise<string[]> {
  const shown = await figures(admin);
  return inspect(async (db) => [...(await ledger(db)), ...(await recount(db, shown))]);
}

type Figures = { estados: Map<Estado, number>; total: number; ingresos: number };

async function figures(admin: Client): Promise<Figures> {
  const estados = new Map<Estado, number>();
  for (const estado of ESTADOS) estados.set(estado, (await admin.call(listPedidos, { query: { estado, per_page: 1 } })).body.total);
  const { totalPedidos: total, ingresos } = (await admin.call(adminStats)).body.data;
  return { estados, total, ingresos };
}

async function ledger(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; stock: number; moved: number; held: number; taken: number }>`
    SELECT p.name, p.stock,
      (SELECT coalesce(sum(unidades), 0) FROM stock_movements m WHERE m.product_id = p.id) AS moved,
      (SELECT coalesce(sum(l.unidades), 0) FROM pedidos_lineas l JOIN pedidos o ON o.id = l.pedido_id
        WHERE l.product_id = p.id AND (o.unidades_retenidas > 0 OR o.cantidad_devuelta > 0))
        - (SELECT coalesce(sum(r.unidades), 0) FROM devoluciones_lineas r JOIN devoluciones d ON d.id = r.devolucion_id
        WHERE r.product_id = p.id AND d.anulada_at IS NULL) AS held,
      (SELECT coalesce(-sum(unidades), 0) FROM stock_movements m WHERE m.product_id = p.id AND m.pedido_id IS NOT NULL) AS taken
    FROM products p`.execute(db);
  return rows.flatMap(({ name, stock, moved, held, taken }) => [
    ...(stock === Number(moved) ? [] : [`${name}: stock ${stock}, ledger ${moved}`]),
    ...(Number(held) === Number(taken) ? [] : [`${name}: orders hold ${held}, the ledger says ${taken}`]),
  ]);
}

async function recount(db: Db, { estados, total, ingresos }: Figures): Promise<string[]> {
  const { rows } = await sql<{ estado: Estado; n: number; cents: number }>`
    SELECT estado, count(*)::int AS n, sum(precio_total_cents) AS cents FROM pedidos WHERE deleted_at IS NULL GROUP BY estado`.execute(db);
  const counted = new Map(rows.map(({ estado, n }) => [estado, n]));
  const income = rows.reduce((sum, { estado, cents }) => sum + (CON_INGRESO.includes(estado) ? Number(cents) : 0), 0) / 100;
  const all = rows.reduce((sum, { n }) => sum + n, 0);
  return [
    ...ESTADOS.flatMap((estado) => {
      const [says, is] = [estados.get(estado), counted.get(estado) ?? 0];
      return says === is ? [] : [`${estado}: shown ${says}, are ${is}`];
    }),
    ...(total === all ? [] : [`orders: shown ${total}, are ${all}`]),
    ...(ingresos === income ? [] : [`income: shown ${ingresos}, is ${income}`]),
  ];
}
