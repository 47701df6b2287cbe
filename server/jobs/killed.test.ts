import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { createExport, listExports } from '../../contract/exports/exports.ts';
import { getHistorial } from '../../contract/pedidos/pedidos.ts';
import { balance } from '../../test/ledger.ts';
import { createWorld, type World } from '../../test/world.ts';
import { allJobs } from '../features.ts';
import { tendUnpaid } from '../pedidos/pasos/unpaid.job.ts';
import { startJobs } from './runner.ts';
import type { JobName } from './wake.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

// Shortens the intervals, which saves twenty seconds.
const QUICK = { look: 1, poll: 1, retry: 1 };
const fourDaysAgo = new Date(Date.now() - 96 * 3_600_000).toISOString();

/** Simulates runs killed with `kill -9` five minutes ago: active, without a heartbeat since. */
async function killInTheMiddle(names: JobName[]) {
  const run = () =>
    startJobs(
      world.open,
      names.map((name) => ({ name, cron: '0 0 1 1 *', run: async () => {} })),
      world.process.log,
      QUICK,
    );
  await (await run())();
  await sql`DELETE FROM jobs.job WHERE name = ANY(${names})`.execute(world.db);
  for (const name of names) {
    await sql`
      INSERT INTO jobs.job (name, state, started_on, heartbeat_on, heartbeat_seconds, expire_seconds, retry_limit, retry_delay, policy)
      SELECT name, 'active', now() - interval '5 minutes', now() - interval '5 minutes', heartbeat_seconds, expire_seconds, retry_limit, retry_delay, policy
      FROM jobs.queue WHERE name = ${name}`.execute(world.db);
  }
  // pg-boss caches which jobs are running: makes pg-boss count these runs as running.
  await sql`UPDATE jobs.queue SET singletons_active = ARRAY[''], monitor_on = now() - interval '5 minutes', monitor_claim_on = now() - interval '5 minutes'`.execute(
    world.db,
  );
}

it('the next process restarts a killed run of a job without repeating finished work', async () => {
  const admin = await world.as('superadmin');
  const pack = await world.pack();
  const unpaid = () => world.pedido({ estado: 'pendiente_pago', pack, created_at: fourDaysAgo });
  const first = await unpaid();
  expect(await tendUnpaid(world.db)).toMatchObject({ cancelled: 1 });
  const second = await unpaid();
  await admin.call(createExport, { body: { conjuntos: ['pedidos'], formato: 'csv' } });
  await world.db.updateTable('exports').set({ hechas: 1, total: 2 }).execute();
  await killInTheMiddle(['impagados', 'exportar']);

  const jobs = allJobs(world.process).filter(({ name }) => ['impagados', 'exportar'].includes(name));
  const stop = await startJobs(
    world.open,
    jobs.map((job) => ({ ...job, cron: '0 0 1 1 *' })),
    world.process.log,
    QUICK,
  );
  const exported = async () => (await admin.call(listExports)).body.data.map(({ estado }) => estado);
  const estados = async () => (await world.db.selectFrom('pedidos').select('estado').execute()).map(({ estado }) => estado);
  await expect.poll(async () => [await estados(), await exported()], { interval: 250 }).toEqual([['cancelado', 'cancelado'], ['listo']]);
  await stop();

  for (const { id } of [first, second]) {
    const { body } = await admin.call(getHistorial, { params: { id } });
    expect(body.data.filter(({ estado_nuevo }) => estado_nuevo === 'cancelado')).toHaveLength(1);
  }
  expect(await balance(world.db, pack.product_id)).toEqual({ stock: 1000, ledger: 1000 });
  expect(world.logged).toEqual([]);
}, 90_000);
