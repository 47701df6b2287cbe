import { sql } from 'kysely';
import { CON_INGRESO, ESTADOS, type Estado } from '../contract/pedidos/estados.ts';
import { listPedidos } from '../contract/pedidos/pedidos.ts';
import { adminStats } from '../contract/stats/stats.ts';
import type { Db } from '../server/db/open.ts';
import type { Client } from '../test/client.ts';
import { recount } from './recount.ts';
import type { Shop } from './world.ts';

/** Returns the disagreements found by the program's own recount, and between the shown figures and the orders. */
export async function auditBooks({ inspect }: Pick<Shop, 'inspect'>, admin: Client): Promise<string[]> {
  const shown = await figures(admin);
  return inspect(async (db) => [...(await recount(db)), ...(await shownWrong(db, shown))]);
}

type Figures = { estados: Map<Estado, number>; total: number; ingresos: number };

async function figures(admin: Client): Promise<Figures> {
  const estados = new Map<Estado, number>();
  for (const estado of ESTADOS) estados.set(estado, (await admin.call(listPedidos, { query: { estado, per_page: 1 } })).body.total);
  const { totalPedidos: total, ingresos } = (await admin.call(adminStats)).body.data;
  return { estados, total, ingresos };
}

async function shownWrong(db: Db, { estados, total, ingresos }: Figures): Promise<string[]> {
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
