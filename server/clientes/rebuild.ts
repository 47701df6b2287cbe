import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';
import { withoutTimeout } from '../db/pool.ts';

/** Makes the customers of orders that have none, once they have been loaded without their triggers. */
export async function rebuildClientes(tx: Tx): Promise<void> {
  await withoutTimeout(tx, () => sql`SELECT rehacer_clientes()`.execute(tx));
}
