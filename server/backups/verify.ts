import { sql } from 'kysely';
import type { Backup } from '../../contract/backups.ts';
import { type Db, migrate, snapshot, type Tx, transact } from '../db/open.ts';
import { withoutTimeout } from '../db/pool.ts';
import { NoScratch } from './failure.ts';
import { checksumOf, damaged, differing, inspectBackup } from './format.ts';
import { loadBackup } from './load.ts';
import type { Advance } from './progress.ts';
import { type Scratch, scratchOnDisk, scratchOnServer } from './scratch.ts';
import { runWorker } from './worker.ts';
import type { Written } from './write.ts';

/**
 * The file to verify, its SHA-256 and the digests of its tables when written, what opens it, and the server that may hold
 * the scratch database. `embeddedRows` is for tests.
 */
export type Suspect = Omit<Written, 'size'> & { path: string; secret: string; databaseUrl: string | undefined; embeddedRows?: number };
type Verificacion = NonNullable<Backup['verificacion']>;
/** How a backup was verified, or what is wrong with it, as a Spanish sentence. */
export type Verdict = { verificacion: Verificacion } | { problem: string };

/**
 * Rows up to which a backup is restored into the embedded engine, which runs out of room at some three times as many. A
 * scratch database on a server holds any number.
 */
const EMBEDDED_ROWS = 3_000_000;

/**
 * Reads a backup of `db` back from disk and compares it with what was written, restored into an empty database where there
 * may be one, in a process of its own.
 */
export async function verifyBackup(db: Db, suspect: Suspect, advance: Advance = () => {}): Promise<Verdict> {
  const read = await runWorker<Verificacion>(new URL('./verify.worker.ts', import.meta.url), suspect, advance);
  if ('problem' in read) return read;
  const verdict = { verificacion: read.done };
  if (read.done === 'restaurada') return verdict;
  // What the restored one would have been asked: whether its figures agree with each other.
  const problem = await snapshot(db, (tx) => withoutTimeout(tx, () => inconsistency(tx)));
  return problem ? { problem: damaged(problem).message } : verdict;
}

/** Body of `verifyBackup`'s worker; throws the problem found. */
export async function readBack(suspect: Suspect, advance: Advance): Promise<Verificacion> {
  const { path, secret, filas } = suspect;
  if ((await checksumOf(path)) !== suspect.checksum) throw damaged('el archivo del disco no es el que se escribió');
  let read = 0;
  // Once to inspect it and once to restore it.
  const onLines = (lines: number) => advance('comprobando', (read += lines), filas * 2);
  const { migration, tables } = await inspectBackup(path, secret, onLines);
  const wrong = differing(tables, suspect.tables);
  if (wrong) throw damaged(`las filas de ${wrong} no son las que había en la base de datos`);
  const scratch = await scratchFor(suspect);
  if (!scratch) return 'recuento';
  const { db, close } = scratch;
  try {
    await migrate(db, migration);
    await transact(db, async (tx) => {
      await loadBackup(tx, path, secret, undefined, onLines);
      const problem = await inconsistency(tx);
      if (problem) throw damaged(problem);
    });
  } finally {
    await close();
  }
  return 'restaurada';
}

async function scratchFor({ path, databaseUrl, filas, embeddedRows = EMBEDDED_ROWS }: Suspect): Promise<Scratch | undefined> {
  const onServer = await scratchOnServer(databaseUrl);
  if (onServer || filas > embeddedRows) return onServer;
  return scratchOnDisk(`${path}.verify.tmp`).catch((cause: Error) => {
    throw new NoScratch(cause.message, { cause });
  });
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
