import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { migrate, openPGlite, type Tx, transact } from '../db/open.ts';
import { checksumOf, damaged, inspectBackup } from './format.ts';
import { loadBackup } from './load.ts';

/** The file that is looked at and the SHA-256 it was written with. */
export type Suspect = { path: string; checksum: string };
export type Verdict = { problem: string | undefined };

/**
 * Restores a backup, read back from the disk, into an empty database of its own and compares; returns what is
 * wrong as a Spanish sentence, undefined when nothing is. In a thread of its own, so that nobody waits.
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

/** The work of `verifyBackup`. Throws what is wrong. */
export async function restoreElsewhere({ path, checksum }: Suspect): Promise<void> {
  if ((await checksumOf(path)) !== checksum) throw damaged('el archivo del disco no es el que se escribió');
  const { migration } = await inspectBackup(path);
  // On the disk: in memory a hundred thousand orders would take gigabytes of it.
  const scratch = `${path}.verify.tmp`;
  try {
    const { db, close } = await openPGlite(join(scratch, 'db'));
    try {
      await migrate(db, migration);
      await transact(db, async (tx) => {
        await loadBackup(tx, path);
        const problem = await inconsistency(tx);
        if (problem) throw damaged(problem);
      });
    } finally {
      await close();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** What the figures of a database contradict, as a Spanish clause: its stock and ledger, its totals and orders. */
export async function inconsistency(tx: Tx): Promise<string | undefined> {
  const { rows: products } = await sql<{ name: string }>`
    SELECT name FROM products p
    WHERE stock <> (SELECT coalesce(sum(unidades), 0) FROM stock_movements m WHERE m.product_id = p.id) LIMIT 1`.execute(tx);
  if (products[0]) return `el stock de «${products[0].name}» no es la suma de sus movimientos`;
  const { rows: totals } = await sql<{ dia: string }>`
    SELECT dia FROM (
      SELECT f.ambito, f.ambito_id, f.dia, f.estado, sum(f.pedidos) AS pedidos, sum(f.total_cents) AS total_cents
      FROM pedidos p, pedidos_totales_filas(p, 1) f GROUP BY 1, 2, 3, 4) counted
    FULL JOIN (SELECT * FROM pedidos_totales WHERE pedidos <> 0 OR total_cents <> 0) kept USING (ambito, ambito_id, dia, estado)
    WHERE (counted.pedidos, counted.total_cents) IS DISTINCT FROM (kept.pedidos, kept.total_cents) LIMIT 1`.execute(tx);
  return totals[0] ? 'las cifras por día no son las de sus pedidos' : undefined;
}
