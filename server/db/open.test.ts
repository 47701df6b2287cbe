import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { found } from '../pedidos/filter.ts';
import { transact } from './open.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

test('a column that a newer instance adds meanwhile stops nothing here', async () => {
  const all = (db: Pick<World['db'], 'selectFrom'> = world.db) => db.selectFrom('users').selectAll().where('email', '=', 'nadie').execute();
  const inTransaction = () => transact(world.db, (tx) => all(tx));
  // Prepare the statement on every connection of the pool.
  await Promise.all(Array.from({ length: 20 }, all.bind(null, world.db)));
  for (const column of ['nueva', 'otra']) {
    await sql`ALTER TABLE users ADD COLUMN ${sql.ref(column)} text`.execute(world.db);
    for (const ask of [inTransaction, all]) expect(await Promise.all(Array.from({ length: 20 }, () => ask()))).toHaveLength(20);
  }
});

test('a search is planned for its words, anything else once', async () => {
  const prepared = await transact(world.db, async (tx) => {
    const pedidos = tx.selectFrom('pedidos').select('cliente_nombre');
    await pedidos.where('version', '=', 1).execute();
    await pedidos.where(found(sql`busqueda`, 'peña')).execute();
    const { rows } = await sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements`.execute(tx);
    return rows.map(({ statement }) => statement).filter((statement) => statement.startsWith('select "cliente_nombre"'));
  });
  const once = world.engine === 'postgres' ? [expect.stringContaining('"version" = ')] : [];
  expect(prepared).toEqual(once);
});
