import { sql } from 'kysely';
import type { Tx } from '../db/open.ts';
import { emit } from '../live/emit.ts';

const WITHDRAWN = 'Se ha retirado: podía tener datos de clientes que se han bloqueado o anonimizado. Vuelve a hacerla.';

/** Deletes finished exports and stops running ones: they may hold personal data just removed from orders. */
export async function withdrawExports(tx: Tx): Promise<void> {
  await tx
    .updateTable('exports')
    .set({ content: null, size: null, error: WITHDRAWN, finished_at: sql`coalesce(finished_at, now())`, estado: 'error' })
    .where('estado', 'in', ['listo', 'en_curso'])
    .execute();
  emit(tx, { topic: 'exports', roles: ['superadmin'] });
}
