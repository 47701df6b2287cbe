import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { allJobs } from '../features.ts';
import { vacuum } from './vacuum.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

const rowsOf = async () =>
  (await sql<{ n: number }>`SELECT reltuples AS n FROM pg_class WHERE oid = 'products'::regclass`.execute(world.db)).rows[0]?.n;

test('the plans know of a hundred new rows', async () => {
  await sql`INSERT INTO products (name) SELECT 'Queso ' || g FROM generate_series(1, 100) g`.execute(world.db);
  // PostgreSQL publishes a statement's counters with a short delay.
  await expect
    .poll(async () => {
      await vacuum(world.db);
      return rowsOf();
    })
    .toBe(100);
});

test('runs by the clock where there is no autovacuum', () => {
  const has = (databaseUrl: string | undefined) =>
    allJobs({ ...world.process, config: { ...world.config, databaseUrl } }).some(({ name }) => name === 'vacuum');
  expect([has(undefined), has('postgres://elsewhere')]).toEqual([true, false]);
});
