import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ESTADO_SQL } from '../../contract/pedidos/estados.ts';
import { createWorld } from '../../test/world.ts';

const { pedidos_abiertos, ...CHECKS } = ESTADO_SQL;

test('the CHECKs and the partial index of orders are those of the table of estados', async () => {
  const { db, close } = await createWorld();
  await db.connection().execute(async (connection) => {
    const named = Object.entries(CHECKS).map(([name, text]) => sql`CONSTRAINT ${sql.ref(name)} CHECK (${sql.raw(text)})`);
    await sql`CREATE TEMP TABLE wanted (estado text, transportista_id uuid, deleted_at timestamptz, ${sql.join(named)})`.execute(
      connection,
    );
    await sql`CREATE INDEX wanted_abiertos ON wanted (estado) WHERE ${sql.raw(pedidos_abiertos)}`.execute(connection);
    const defined = async (table: string, index: string) => {
      const { rows } = await sql<{ conname: string; text: string }>`
        SELECT conname, pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conrelid = ${table}::regclass AND conname IN (${sql.join(Object.keys(CHECKS))})
        UNION ALL SELECT 'pedidos_abiertos', pg_get_expr(indpred, indrelid) FROM pg_index WHERE indexrelid = ${index}::regclass ORDER BY 1`.execute(
        connection,
      );
      return rows.map(({ conname, text }) => [conname, text.split(/[[\](),\s]+/).toSorted()]);
    };
    // A new estado needs a migration that makes them so again.
    expect(await defined('pedidos', 'pedidos_abiertos')).toEqual(await defined('wanted', 'wanted_abiertos'));
  });
  await close();
});
