import { setTimeout as sleep } from 'node:timers/promises';
import { listUsers } from '../../contract/users/users.ts';
import { connectAs } from '../../e2e/api.ts';
import { SUPERADMIN } from '../../e2e/server.ts';
import { migrations } from '../../server/db/migrations.ts';
import { range } from '../each.ts';
import { type Row, verdict } from '../row.ts';
import { type Instance, startInstance } from '../server.ts';
import type { World } from '../world.ts';

const INSTANCES = 4;
const ROUNDS = { own: 5, server: 20 };
const KILLED = 10;

/** Instances that start at once set up one shop, and a killed instance does not block the others. */
export const row: Row = {
  name: 'starts',
  what: `${INSTANCES} instances start at once on an empty database; killed in the middle and started again`,
  seconds: 450,
  run: async (world) => {
    const { expect, outcome } = verdict();
    for (const [n, own] of [...Array(ROUNDS.own).fill(true), ...Array(ROUNDS.server).fill(false)].entries()) {
      const database = await world.database({ empty: true, own });
      const instances = await startAll(world, database);
      const alive = await living(instances);
      // Only one process may use a data folder; the others exit with a message.
      const wanted = own ? 1 : INSTANCES;
      expect(
        alive.length === wanted,
        () => `start ${n}: ${alive.length} of ${INSTANCES} run: ${instances.map(({ log }) => log().slice(-150)).join(' | ')}`,
      );
      for (const instance of alive) for (const complaint of await check(instance)) expect(false, () => `start ${n}: ${complaint}`);
      await Promise.all(instances.map(({ stop }) => stop('SIGKILL')));
      await world.lookInto(database, async (db) => {
        const done = await db
          .selectFrom('kysely_migration' as 'users')
          .select('name' as 'id')
          .execute();
        expect(done.length === Object.keys(migrations).length, () => `start ${n}: ${done.length} migrations`);
      });
    }
    for (const n of range(KILLED)) {
      const database = await world.database({ empty: true, own: n % 2 === 0 });
      const instances = await startAll(world, database);
      // Kills at a random moment, from before the first statement until after the last statement.
      await sleep(300 + Math.random() * 3000);
      await Promise.all(instances.map(({ stop }) => stop('SIGKILL')));
      const [again] = (await startAll(world, database, 1)) as [Instance];
      const [alive] = await living([again]);
      expect(alive === again, () => `killed ${n}: does not start again: ${again.log().slice(-300)}`);
      if (alive) for (const complaint of await check(alive)) expect(false, () => `killed ${n}: ${complaint}`);
      await again.stop('SIGKILL');
    }
    return outcome(`${ROUNDS.own + ROUNDS.server} × ${INSTANCES} at once, ${KILLED} killed in the middle`);
  },
  control: [
    {
      guard: 'the lock of the migrations and of the first access',
      edits: [
        {
          file: 'server/session/first-access.ts',
          find: "tx.selectFrom('settings').select('id').forUpdate().execute();",
          replace: "tx.selectFrom('settings').select('id').execute();",
        },
        {
          file: 'server/session/first-access.ts',
          find: '  return transact(db, async (tx) => {\n    await lockFirstAccess(tx);\n    const isEmpty = await lacksSuperadmin(tx);',
          replace:
            '  await new Promise((later) => setTimeout(later, 300));\n  return transact(db, async (tx) => {\n    await lockFirstAccess(tx);\n    const isEmpty = await lacksSuperadmin(tx);\n    await new Promise((later) => setTimeout(later, 2000));',
        },
        {
          file: 'server/db/migrations/001-initial.ts',
          find: "  'CREATE UNIQUE INDEX users_email ON users (email) WHERE deleted_at IS NULL',\n",
          replace: '',
        },
      ],
    },
  ],
};

async function startAll(world: World, database: Record<string, string>, n = INSTANCES): Promise<Instance[]> {
  const instances = await Promise.all(range(n).map(() => startInstance(database)));
  for (const instance of instances) world.atEnd(() => instance.stop('SIGKILL'));
  return instances;
}

async function living(instances: Instance[]): Promise<Instance[]> {
  const ready = await Promise.all(
    instances.map((instance) =>
      instance.ready().then(
        () => [instance],
        () => [],
      ),
    ),
  );
  return ready.flat();
}

/** Complaints after a superadmin's sign-in at an instance. */
async function check({ url }: Instance): Promise<string[]> {
  const admin = await connectAs(url, SUPERADMIN);
  const { data } = (await admin.call(listUsers)).body;
  return data.length === 1 ? [] : [`${data.length} people`];
}
