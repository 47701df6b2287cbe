import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';
import { emit } from '../live/emit.ts';

/** Updates a person's name on their orders, which hold a copy so that lists and searches need no join. */
export async function renamePerson(tx: Tx, userId: string, name: string): Promise<void> {
  // Years of orders can take longer than the statement timeout.
  await sql`SET LOCAL statement_timeout = 0`.execute(tx);
  await tx.updateTable('pedidos').set({ revendedor_nombre: name }).where('revendedor_id', '=', userId).execute();
  await tx.updateTable('pedidos').set({ transportista_nombre: name }).where('transportista_id', '=', userId).execute();
  await emit(tx, { topic: 'pedidos', roles: ['superadmin'] });
}
