import { sql } from 'kysely';
import type { Tx } from '../../db/open.ts';
import { withoutTimeout } from '../../db/pool.ts';

/** Rebuilds the search texts of all orders after loading without triggers. */
export async function rebuildSearch(tx: Tx): Promise<void> {
  await withoutTimeout(tx, () => sql`SELECT rehacer_busqueda()`.execute(tx));
}
