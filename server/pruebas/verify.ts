import { sql } from 'kysely';
import type { Db } from '../db/open.ts';
import { FileChanged, type Files } from '../files/store.ts';

/** Files read in one night, the longest unread first. */
const A_NIGHT = 5_000;

/** Stored files of proofs by number, and those found missing, changed or unreadable when last read. */
export async function countFiles(db: Db): Promise<{ files: number; bad: number }> {
  const found = db.selectFrom('pruebas').where('fichero', 'is not', null).where('retirada_at', 'is', null);
  return found.select(({ fn }) => [fn.countAll<number>().as('files'), fn.count<number>('problema').as('bad')]).executeTakeFirstOrThrow();
}

type Problem = 'falta' | 'cambiado' | 'ilegible' | null;

/** Reads the stored files and marks those that are missing, changed or unreadable; the recount of the books tells of them. */
export async function verifyFiles(db: Db, files: Files, limit = A_NIGHT): Promise<void> {
  const rows = await db
    .selectFrom('pruebas')
    .select(['id', 'fichero'])
    .where('fichero', 'is not', null)
    .where('retirada_at', 'is', null)
    .orderBy(sql`comprobada_at NULLS FIRST`)
    .limit(limit)
    .execute();
  for (const { id, fichero } of rows) {
    const problema = fichero ? await problemOf(files, fichero) : null;
    await db.updateTable('pruebas').set({ problema, comprobada_at: sql<string>`now()` }).where('id', '=', id).execute();
  }
}

/** As `countFiles`, but reads up to `limit` files now, those found bad first; writes nothing. */
export async function lookAtFiles(db: Db, files: Files, limit: number): Promise<{ files: number; bad: number }> {
  const counted = await countFiles(db);
  const rows = await db
    .selectFrom('pruebas')
    .select(['fichero', 'problema'])
    .where('fichero', 'is not', null)
    .where('retirada_at', 'is', null)
    .orderBy(sql`problema IS NULL`)
    .orderBy(sql`comprobada_at NULLS FIRST`)
    .limit(limit)
    .execute();
  let bad = counted.bad;
  for (const { fichero, problema } of rows)
    bad += Number(!!fichero && (await problemOf(files, fichero)) !== null) - Number(problema !== null);
  return { files: counted.files, bad };
}

async function problemOf(files: Files, fichero: string): Promise<Problem> {
  try {
    // The name holds the SHA-256, which the store compares.
    return (await files.get(fichero)) ? null : 'falta';
  } catch (error) {
    return error instanceof FileChanged ? 'cambiado' : 'ilegible';
  }
}
