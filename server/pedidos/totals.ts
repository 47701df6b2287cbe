import { sql } from 'kysely';
import { type Db, type Tx, transact } from '../db/open.ts';
import { withoutTimeout } from '../db/pool.ts';
import type { Log } from '../log/log.ts';

/** The day of the all-time rows of `pedidos_totales` (migration 017). */
export const ALL_TIME = '0001-01-01';
/** The id of its rows for everybody, and for orders without a carrier. */
export const ZERO_ID = '00000000-0000-0000-0000-000000000000';

/** More changes waiting than this, and lists and figures become slow. */
const MANY = 50_000;

/**
 * Folds the changes of the totals that wait into the rows of their days, so that readers have few to add. No writer
 * waits for it. Logs a warning when far more wait than should.
 */
export async function foldTotals(db: Db, log: Log): Promise<void> {
  const folded = await transact(db, fold);
  if (folded > MANY) log.warn({ changes: folded }, 'the totals had fallen behind');
  // The dead rows lie in the way of every reader, too many of them before autovacuum comes by. TRUNCATE would lock.
  if (folded) await sql`VACUUM (TRUNCATE false) pedidos_totales_cambios`.execute(db);
}

/** Changes of the totals that wait to be folded. */
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM pedidos_totales_cambios`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * Rebuilds the totals from the orders, after a change of time zone, which moves orders to other days, or a bulk
 * insert without the trigger. Blocks writes to the orders until the transaction ends.
 */
export async function rebuildTotals(tx: Tx): Promise<void> {
  await sql`LOCK TABLE pedidos IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
  await withoutTimeout(tx, async () => {
    await tx.deleteFrom('pedidos_totales_cambios').execute();
    await tx.deleteFrom('pedidos_totales_dia').execute();
    await sql`INSERT INTO pedidos_totales_cambios SELECT * FROM pedidos_contados`.execute(tx);
    await fold(tx);
  });
}

// Under a lock of its own, so that two instances do not wait for each other's rows. Returns the number of changes.
async function fold(tx: Tx): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('pedidos_totales', 0))`.execute(tx);
  const { rows } = await sql<{ n: number }>`
    WITH gone AS (DELETE FROM pedidos_totales_cambios RETURNING *),
      folded AS (
        INSERT INTO pedidos_totales_dia AS t
        SELECT k.ambito, k.ambito_id, k.dia_total, estado, sum(pedidos), sum(total_cents)
        FROM gone, LATERAL pedidos_totales_claves(revendedor_id, transportista_id, dia) k
        GROUP BY 1, 2, 3, 4 HAVING sum(pedidos) <> 0 OR sum(total_cents) <> 0
        ON CONFLICT (ambito, ambito_id, dia, estado)
        DO UPDATE SET pedidos = t.pedidos + excluded.pedidos, total_cents = t.total_cents + excluded.total_cents)
    SELECT count(*) AS n FROM gone`.execute(tx);
  return rows[0]?.n ?? 0;
}
