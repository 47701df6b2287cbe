import { sql } from 'kysely';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { withoutTimeout } from '../../db/pool.ts';
import type { Log } from '../../log/log.ts';

/** Day of the all-time rows of `pedidos_totales` (migration 017). */
export const ALL_TIME = '0001-01-01';
/** Id of the overall rows, and of orders without carrier. */
export const ZERO_ID = '00000000-0000-0000-0000-000000000000';

/** Backlog of changes beyond which lists and figures become slow. */
const MANY = 50_000;

/** Folds pending changes into the daily totals without blocking writers. Warns about a large backlog. */
export async function foldTotals(db: Db, log: Log): Promise<void> {
  const folded = await transact(db, fold);
  if (folded > MANY) log.warn({ changes: folded }, 'the totals had fallen behind');
  // Dead rows slow every reader until autovacuum runs. TRUNCATE would lock.
  if (folded) await sql`VACUUM (TRUNCATE false) pedidos_totales_cambios`.execute(db);
}

export async function countUnfolded(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM pedidos_totales_cambios`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Rebuilds the totals after a change of time zone or a load without triggers. Blocks writes to orders until the end of the transaction. */
export async function rebuildTotals(tx: Tx): Promise<void> {
  await sql`LOCK TABLE pedidos IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
  await withoutTimeout(tx, async () => {
    await tx.deleteFrom('pedidos_totales_cambios').execute();
    await tx.deleteFrom('pedidos_totales_dia').execute();
    await sql`INSERT INTO pedidos_totales_cambios SELECT * FROM pedidos_contados`.execute(tx);
    await fold(tx);
  });
}

// Serialises concurrent folds. Returns the number of folded changes.
async function fold(tx: Tx): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('pedidos_totales', 0))`.execute(tx);
  const { rows } = await sql<{ n: number }>`
    WITH gone AS (DELETE FROM pedidos_totales_cambios RETURNING *),
      folded AS (
        INSERT INTO pedidos_totales_dia AS t
        SELECT k.ambito, k.ambito_id, k.dia_total, estado, sum(pedidos), sum(total_cents), sum(por_cobrar), sum(por_cobrar_cents)
        FROM gone, LATERAL pedidos_totales_claves(revendedor_id, transportista_id, dia) k
        GROUP BY 1, 2, 3, 4 HAVING (sum(pedidos), sum(total_cents), sum(por_cobrar), sum(por_cobrar_cents)) <> (0, 0, 0, 0)
        ON CONFLICT (ambito, ambito_id, dia, estado)
        DO UPDATE SET pedidos = t.pedidos + excluded.pedidos, total_cents = t.total_cents + excluded.total_cents,
          por_cobrar = t.por_cobrar + excluded.por_cobrar, por_cobrar_cents = t.por_cobrar_cents + excluded.por_cobrar_cents)
    SELECT count(*) AS n FROM gone`.execute(tx);
  return rows[0]?.n ?? 0;
}
