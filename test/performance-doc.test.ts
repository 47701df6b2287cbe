import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

test('docs/performance.md names exactly the indexes of the orders, each with the query that needs it', async () => {
  const world = await createWorld();
  try {
    const { rows } = await sql<{ name: string }>`SELECT indexname AS name FROM pg_indexes WHERE tablename = 'pedidos'`.execute(world.db);
    const text = readFileSync(join(import.meta.dirname, '../docs/performance.md'), 'utf8');
    const named = [...text.matchAll(/^\| `(pedidos_\w+)` \| \S/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(rows.map(({ name }) => name).sort());
  } finally {
    await world.close();
  }
});
