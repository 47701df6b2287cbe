import { sql } from 'kysely';
import type { Db, Tx } from '../db/open.ts';
import type { Files } from '../files/store.ts';
import { emitJob } from '../jobs/wake.ts';
import { readTermInForce } from '../settings/settings.ts';

/** Files deleted in one run. */
const AT_ONCE = 500;

/** Stops showing files older than the term of the settings; their job deletes them. */
export async function withdrawOld(db: Db): Promise<void> {
  const { value } = await readTermInForce(db, 'proofMonths');
  await db
    .updateTable('pruebas')
    .set({ retirada_at: sql<string>`now()` })
    .where('retirada_at', 'is', null)
    .where('created_at', '<', sql<string>`now() - make_interval(months => ${value})`)
    .execute();
}

/** Stops showing the files of anonymised orders and has them deleted; one that comes later is refused. */
export async function withdrawPruebas(tx: Tx, pedidos: readonly string[]): Promise<void> {
  await tx
    .updateTable('pruebas')
    .set({ retirada_at: sql<string>`coalesce(retirada_at, now())` })
    .where('pedido_id', 'in', pedidos)
    .execute();
  emitJob(tx, 'pruebas');
}

/** Deletes the files that are no longer shown; their rows stay, as links of the chain. */
export async function deleteWithdrawn(db: Db, files: Files): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('pruebas')
      .select(['id', 'fichero'])
      .where('retirada_at', 'is not', null)
      .where('fichero', 'is not', null)
      .limit(AT_ONCE)
      .execute();
    for (const { id, fichero } of rows) {
      if (fichero) await files.remove(fichero);
      await db.updateTable('pruebas').set({ fichero: null, problema: null }).where('id', '=', id).execute();
    }
    if (rows.length < AT_ONCE) return;
  }
}
