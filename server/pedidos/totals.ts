import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';

/** The day under which `pedidos_totales` counts all days together (migration 001). */
export const ALL_TIME = '0001-01-01';
/** The id under which it counts everybody, and the orders that no carrier has. */
export const ZERO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Counts `pedidos_totales` again from the orders: after a change of the time zone, which moves orders to
 * other days, or after a fill without the trigger. Orders cannot be written until the transaction ends.
 */
export async function rebuildTotals(tx: Tx): Promise<void> {
  await sql`LOCK TABLE pedidos IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
  // 100,000 orders take longer than a request may.
  await sql`SET LOCAL statement_timeout = 0`.execute(tx);
  await tx.deleteFrom('pedidos_totales').execute();
  await sql`
    INSERT INTO pedidos_totales (ambito, ambito_id, dia, estado, pedidos, total_cents)
    SELECT f.ambito, f.ambito_id, f.dia, f.estado, sum(f.pedidos), sum(f.total_cents)
    FROM pedidos p, pedidos_totales_filas(p, 1) f
    GROUP BY 1, 2, 3, 4`.execute(tx);
}
