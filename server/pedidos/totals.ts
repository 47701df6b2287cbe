import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';

/** The day of the all-time rows of `pedidos_totales` (migration 001). */
export const ALL_TIME = '0001-01-01';
/** The id of its rows for everybody, and for orders without a carrier. */
export const ZERO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Rebuilds `pedidos_totales` from the orders, after a change of time zone, which moves orders to other days, or
 * a bulk insert without the trigger. Blocks writes to the orders until the transaction ends.
 */
export async function rebuildTotals(tx: Tx): Promise<void> {
  await sql`LOCK TABLE pedidos IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
  // 100,000 orders can take longer than the statement timeout.
  await sql`SET LOCAL statement_timeout = 0`.execute(tx);
  await tx.deleteFrom('pedidos_totales').execute();
  await sql`
    INSERT INTO pedidos_totales (ambito, ambito_id, dia, estado, pedidos, total_cents)
    SELECT f.ambito, f.ambito_id, f.dia, f.estado, sum(f.pedidos), sum(f.total_cents)
    FROM pedidos p, pedidos_totales_filas(p, 1) f
    GROUP BY 1, 2, 3, 4`.execute(tx);
}
