import { sql } from 'kysely';
import type { Db, Tx } from '../db/open.ts';
import type { Anunciada } from '../db/schema.ts';
import type { Files } from '../files/store.ts';
import { emitJob } from '../jobs/wake.ts';
import { readTermInForce } from '../settings/settings.ts';
import { proofFileName } from './pruebas.ts';

/** Files read from the database per batch. */
const AT_ONCE = 500;

/** Hides files older than the term of the settings; `deleteWithdrawn` deletes them later. */
export async function hideOld(db: Db): Promise<void> {
  const { value } = await readTermInForce(db, 'proofMonths');
  await db
    .updateTable('pruebas')
    .set({ retirada_at: sql<string>`now()` })
    .where('retirada_at', 'is', null)
    .where('created_at', '<', sql<string>`now() - make_interval(months => ${value})`)
    .execute();
}

/** Hides the files of anonymised orders and queues the job that deletes them. */
export async function withdrawPruebas(tx: Tx, pedidos: readonly string[]): Promise<void> {
  await tx
    .updateTable('pruebas')
    .set({ retirada_at: sql<string>`coalesce(retirada_at, now())` })
    .where('pedido_id', 'in', pedidos)
    .execute();
  emitJob(tx, 'pruebas');
}

/** Days after anonymising, or after the end of the term, in which the job looks for leftovers of failed uploads. */
const LEFT_OVER_DAYS = 2;

/** Deletes announced files that a failed upload stored without a row, once their order is anonymised or their term is over. */
export async function deleteLeftOver(db: Db, files: Files): Promise<void> {
  const { value } = await readTermInForce(db, 'proofMonths');
  const { rows } = await sql<Anunciada & { pedido_id: string }>`
    SELECT e.pedido_id, a->>'tipo' AS tipo, a->>'sha256' AS sha256
    FROM (SELECT pedido_id, anunciadas, entregada_at AS at FROM entregas UNION ALL SELECT pedido_id, anunciadas, created_at FROM intentos
      UNION ALL SELECT pedido_id, anunciadas, created_at FROM pedidos_historial WHERE anunciadas IS NOT NULL) e
    JOIN pedidos p ON p.id = e.pedido_id, LATERAL jsonb_array_elements(e.anunciadas) a
    WHERE (p.anonimizado_at > now() - make_interval(days => ${LEFT_OVER_DAYS})
        OR e.at + make_interval(months => ${value}) BETWEEN now() - make_interval(days => ${LEFT_OVER_DAYS}) AND now())
      AND NOT EXISTS (SELECT FROM pruebas f WHERE f.pedido_id = e.pedido_id AND f.sha256 = a->>'sha256')`.execute(db);
  for (const { pedido_id, ...file } of rows) await files.remove(proofFileName(pedido_id, file));
}

/** Deletes hidden files from the store; their rows stay as links of the chain. */
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
