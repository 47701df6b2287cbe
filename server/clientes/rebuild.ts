import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';
import { withoutTimeout } from '../db/pool.ts';

/** Creates customers for orders loaded without triggers. */
export async function rebuildClientes(tx: Tx): Promise<void> {
  await withoutTimeout(tx, () => sql`SELECT rehacer_clientes()`.execute(tx));
}
