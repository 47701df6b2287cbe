import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { migrate, type Tx, transact } from '../db/open.ts';
import { checksumOf, damaged, inspectBackup } from './format.ts';
import { loadBackup } from './load.ts';
import { openScratch } from './scratch.ts';

/** The file to verify, its SHA-256 when written, what opens it, and the server that may hold the scratch database. */
export type Suspect = { path: string; checksum: string; secret: string; databaseUrl: string | undefined };
export type Verdict = { problem: string | undefined };

/**
 * Reads a backup back from disk, restores it into an empty scratch database and compares; returns the problem as a
 * Spanish sentence, or undefined. Runs in a worker thread, so that requests do not wait.
 */
export async function verifyBackup(suspect: Suspect): Promise<string | undefined> {
  const worker = new Worker(new URL('./verify.worker.ts', import.meta.url), { workerData: suspect });
  try {
    // once() also rejects when the worker fails.
    const [verdict]: Verdict[] = await once(worker, 'message');
    return verdict?.problem;
  } finally {
    await worker.terminate();
  }
}

/** Body of `verifyBackup`'s worker; throws the problem found. */
export async function restoreElsewhere({ path, checksum, secret, databaseUrl }: Suspect): Promise<void> {
  if ((await checksumOf(path)) !== checksum) throw damaged('el archivo del disco no es el que se escribió');
  const { migration } = await inspectBackup(path, secret);
  const { db, close } = await openScratch(`${path}.verify.tmp`, databaseUrl);
  try {
    await migrate(db, migration);
    await transact(db, async (tx) => {
      await loadBackup(tx, path, secret);
      const problem = await inconsistency(tx);
      if (problem) throw damaged(problem);
    });
  } finally {
    await close();
  }
}

/** Checks stock against its ledger and totals against orders; returns a Spanish clause if they disagree. */
export async function inconsistency(tx: Tx): Promise<string | undefined> {
  const { rows: products } = await sql<{ name: string }>`
    SELECT name FROM products p
    WHERE stock <> (SELECT coalesce(sum(unidades), 0) FROM stock_movements m WHERE m.product_id = p.id) LIMIT 1`.execute(tx);
  if (products[0]) return `el stock de «${products[0].name}» no es la suma de sus movimientos`;
  const { rows: totals } = await sql<{ dia: string }>`
    SELECT dia FROM (
      SELECT k.ambito, k.ambito_id, k.dia_total AS dia, estado, sum(pedidos) AS pedidos, sum(total_cents) AS total_cents
      FROM pedidos_contados c, pedidos_totales_claves(revendedor_id, transportista_id, c.dia) k GROUP BY 1, 2, 3, 4) counted
    FULL JOIN (
      SELECT ambito, ambito_id, dia, estado, sum(pedidos) AS pedidos, sum(total_cents) AS total_cents FROM pedidos_totales
      GROUP BY 1, 2, 3, 4 HAVING sum(pedidos) <> 0 OR sum(total_cents) <> 0) kept USING (ambito, ambito_id, dia, estado)
    WHERE (counted.pedidos, counted.total_cents) IS DISTINCT FROM (kept.pedidos, kept.total_cents) LIMIT 1`.execute(tx);
  return totals[0] ? 'las cifras por día no son las de sus pedidos' : undefined;
}
