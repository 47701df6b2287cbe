import type { Tx } from '../db/open.ts';
import { withoutTimeout } from '../db/pool.ts';
import { emit } from '../live/emit.ts';

/** Updates a person's name on their orders, which copy it so that lists need no join. */
export async function renamePerson(tx: Tx, userId: string, name: string): Promise<void> {
  await withoutTimeout(tx, async () => {
    for (const who of ['revendedor', 'transportista'] as const) {
      const of = `${who}_id` as const;
      // Locked by id, like every change of several orders, to avoid deadlocks.
      await tx.selectFrom('pedidos').select('id').where(of, '=', userId).orderBy('id').forNoKeyUpdate().execute();
      await tx
        .updateTable('pedidos')
        .set({ [`${who}_nombre`]: name })
        .where(of, '=', userId)
        .execute();
    }
  });
  emit(tx, { topic: 'pedidos', roles: ['superadmin'] });
}
