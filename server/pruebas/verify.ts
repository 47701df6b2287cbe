import { sql } from 'kysely';
import type { Db } from '../db/open.ts';
import { FileChanged, type Files } from '../files/store.ts';

/** Maximum number of files checked per night, the longest unchecked first. */
const A_NIGHT = 5_000;

/** Returns the number of stored proof files, and how many were missing, changed or unreadable when last checked. */
export async function countFiles(db: Db): Promise<{ files: number; bad: number }> {
  const found = db.selectFrom('pruebas').where('fichero', 'is not', null).where('retirada_at', 'is', null);
  return found.select(({ fn }) => [fn.countAll<number>().as('files'), fn.count<number>('problema').as('bad')]).executeTakeFirstOrThrow();
}

/** Reads up to `limit` stored files and marks those that are missing, changed or unreadable; the nightly recount reports them. */
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

/** Like `countFiles`, but checks up to `limit` files now, those marked as bad first; writes nothing. */
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

async function problemOf(files: Files, fichero: string): Promise<'falta' | 'cambiado' | 'ilegible' | null> {
  try {
    // The store compares the content with the SHA-256 in the name.
    return (await files.get(fichero)) ? null : 'falta';
  } catch (error) {
    return error instanceof FileChanged ? 'cambiado' : 'ilegible';
  }
}
