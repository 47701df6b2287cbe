import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { transact } from './open.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

test('a column that a newer instance adds meanwhile stops nothing here', async () => {
  const all = (db: Pick<World['db'], 'selectFrom'> = world.db) => db.selectFrom('users').selectAll().where('email', '=', 'nadie').execute();
  const inTransaction = () => transact(world.db, (tx) => all(tx));
  // On every connection of the pool.
  await Promise.all(Array.from({ length: 20 }, all.bind(null, world.db)));
  for (const column of ['nueva', 'otra']) {
    await sql`ALTER TABLE users ADD COLUMN ${sql.ref(column)} text`.execute(world.db);
    for (const ask of [inTransaction, all]) expect(await Promise.all(Array.from({ length: 20 }, () => ask()))).toHaveLength(20);
  }
});
