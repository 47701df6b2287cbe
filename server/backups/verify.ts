import type { Backup } from '../../contract/backups/backups.ts';
import { firstContradiction } from '../cuadre/run.ts';
import { migrateDatabase, transact } from '../db/open.ts';
import { damagedBackup, fileChecksum, firstDifference, inspectBackup } from './format.ts';
import type { Advance } from './progress.ts';
import { scratchOnServer } from './scratch.ts';
import { runWorker } from './worker.ts';
import { type Checked, loadBackup, type WrittenBackup } from './write.ts';

/** A written backup with its secret, and the address of the server for the scratch database. */
export type Suspect = Omit<WrittenBackup, 'size'> & Partial<Pick<Checked, 'contradiction'>> & { path: string; secret: string; url: string };
type Verificacion = NonNullable<Backup['verificacion']>;
export type Verdict = { verificacion: Verificacion } | { problem: string };

/**
 * Reads a backup back in a child process, and test-restores it if possible. Returns the method, or the problem in Spanish. Throws a
 * Spanish clause if the process is killed.
 */
export async function verifyBackup(suspect: Suspect, advance: Advance = () => {}): Promise<Verdict> {
  const read = await runWorker<Verificacion>(new URL('./verify.worker.ts', import.meta.url), suspect, advance);
  if ('problem' in read) return read;
  if (read.done === 'recuento' && suspect.contradiction) return { problem: damagedBackup(suspect.contradiction).message };
  return { verificacion: read.done };
}

export async function readBack(suspect: Suspect, advance: Advance): Promise<Verificacion> {
  const { path, secret, filas } = suspect;
  if ((await fileChecksum(path)) !== suspect.checksum) throw damagedBackup('el archivo del disco no es el que se escribió');
  let read = 0;
  const onLines = (lines: number) => advance('comprobando', (read += lines), filas * 2);
  const { migration, tables } = await inspectBackup(path, secret, onLines);
  const wrong = firstDifference(tables, suspect.tables);
  if (wrong) throw damagedBackup(`las filas de ${wrong} no son las que había en la base de datos`);
  const scratch = await scratchOnServer(suspect.url);
  if (!scratch) return 'recuento';
  const { db, close } = scratch;
  try {
    await migrateDatabase(db, migration);
    await transact(db, async (tx) => {
      await loadBackup(tx, path, secret, undefined, onLines);
      const problem = await firstContradiction(tx);
      if (problem) throw damagedBackup(problem);
    });
  } finally {
    await close();
  }
  return 'restaurada';
}
