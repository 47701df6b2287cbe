import { sql } from 'kysely';
import { recountAccounts as nightly } from '../server/cuadre/run.ts';
import { type Db, onSnapshot } from '../server/db/open.ts';
import { withoutTimeout } from '../server/db/pool.ts';

/** Returns the differences of the nightly recount, and blocks that do not cover all joined customers. */
export async function recount(db: Db): Promise<string[]> {
  // Updates the statistics, which describe an empty database right after filling.
  await sql`ANALYZE`.execute(db);
  return onSnapshot(db, (tx) =>
    withoutTimeout(tx, async () => {
      const found = await nightly(tx);
      const { rows } = await sql<{ n: number }>`
        SELECT count(*)::int AS n FROM clientes c JOIN clientes p ON p.id = c.unido_a
        WHERE (c.bloqueado_motivo IS NULL) <> (p.bloqueado_motivo IS NULL)`.execute(tx);
      const differences = found.flatMap(({ name, cuantas, filas }) =>
        filas.slice(0, 3).map(({ que, hay, esperado }) => `${name} (${cuantas}): ${que} has ${hay}, should have ${esperado}`),
      );
      return rows[0]?.n ? [...differences, `a block does not cover all joined customers: ${rows[0].n}`] : differences;
    }),
  );
}
