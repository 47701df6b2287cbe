import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from './world.ts';
let world: World;
beforeAll(async () => { world = await createWorld(); return world.close; });
test('bm', async () => {
  const { rows } = await sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'kysely%'`.execute(world.db);
  const fill = async () => { await world.pedido({ estado: 'asignado' }); await world.as('superadmin'); };
  const del = async () => {
    await world.db.transaction().execute(async (tx) => {
      await sql`SET LOCAL session_replication_role = replica`.execute(tx);
      await sql`DO $$ BEGIN ${sql.raw(rows.map((r) => `DELETE FROM ${r.name};`).join(' '))} END $$`.execute(tx);
    });
  };
  for (const [n, f] of [['truncate', world.reset], ['delete', del], ['truncate', world.reset], ['delete', del]] as const) {
    let t = 0;
    for (let i = 0; i < 15; i++) { await fill(); const s = performance.now(); await f(); t += performance.now() - s; }
    console.log(world.engine, rows.length, n, (t / 15).toFixed(1), 'ms');
    if (n === 'delete') await sql`INSERT INTO settings DEFAULT VALUES`.execute(world.db);
  }
  expect(1).toBe(1);
}, 60000);
