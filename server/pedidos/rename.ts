import type { Tx } from '../db/open.ts';
import { withoutTimeout } from '../db/pool.ts';
import { emit } from '../live/emit.ts';

/** Updates a person's name on their orders, which copy it so that lists need no join. */
export async function renamePerson(tx: Tx, userId: string, name: string): Promise<void> {
  await withoutTimeout(tx, async () => {
    await tx.updateTable('pedidos').set({ revendedor_nombre: name }).where('revendedor_id', '=', userId).execute();
    await tx.updateTable('pedidos').set({ transportista_nombre: name }).where('transportista_id', '=', userId).execute();
  });
  emit(tx, { topic: 'pedidos', roles: ['superadmin'] });
}
