import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { createWorld, type World } from '../test/world.ts';
import { allJobs, FEATURES } from './features.ts';
import { JOBS } from './jobs/wake.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

const declared = FEATURES.flatMap(({ tables = {} }) => Object.keys(tables)).sort();

it('every table belongs to one feature, which declares how backups treat it', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename NOT LIKE 'kysely%' ORDER BY 1`.execute(
    world.db,
  );
  const names = rows.map(({ name }) => name);
  const nobodys = names.filter((name) => !declared.includes(name));
  expect(nobodys, 'tables that no feature declares').toEqual([]);
  expect(declared).toEqual(names);
});

it('the jobs of all features are exactly the jobs in JOBS', () => {
  const config = { ...world.config, databaseUrl: undefined };
  expect(
    allJobs({ ...world.process, config })
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...JOBS].sort());
});
