import { sql } from 'kysely';
import type { Role } from '../../contract/policy/policy.ts';
import type { Db, Tx } from '../db/open.ts';
import { ALL_TIME } from '../pedidos/lectura/totals.ts';
import { HOLDS } from '../pedidos/pasos/hand-over.ts';

/** Query of open orders by role (`ambito`) and person (`ambito_id`). */
export const openOrders = (db: Db | Tx) =>
  db
    .selectFrom('pedidos_totales')
    .select(['ambito', 'ambito_id', sql<number>`sum(pedidos)::int`.as('abiertos')])
    .where('dia', '=', ALL_TIME)
    .where((eb) =>
      eb.or(
        (['revendedor', 'transportista'] as const).map((role) =>
          eb.and([eb('ambito', '=', role), eb('estado', 'in', HOLDS[role].estados)]),
        ),
      ),
    )
    .groupBy(['ambito', 'ambito_id']);

export async function openOrdersOf(tx: Tx, { id, role }: { id: string; role: Role }): Promise<number> {
  const found = await openOrders(tx).where(sql`ambito`, '=', role).where('ambito_id', '=', id).executeTakeFirst();
  return found?.abiertos ?? 0;
}
