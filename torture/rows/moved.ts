import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cambiosPedidos } from '../../contract/cambios/cambios.ts';
import { createPedido } from '../../contract/pedidos/pedidos.ts';
import { listEvents } from '../../contract/webhooks/events.ts';
import { arranger, connectAs } from '../../e2e/api.ts';
import { SUPERADMIN } from '../../e2e/server.ts';
import type { Client } from '../../test/client.ts';
import { query, startPostgres, withDatabase } from '../../test/postgres.ts';
import { range } from '../each.ts';
import { type Row, verdict } from '../row.ts';
import { startInstance } from '../server.ts';
import type { World } from '../world.ts';

const ORDERS = 60;
const LATER = 5;
/** Folder of a PostgreSQL with initdb and pg_dump of the same version, because the bundled binaries have no pg_dump. */
const BIN = [process.env.TEST_POSTGRES_BIN, ...[18, 17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin`)].find(
  (folder) => folder && existsSync(`${folder}/pg_dump`) && existsSync(`${folder}/initdb`),
);

/** After `pg_dump | psql` into another server, old cursors are refused and the feed starts again from the beginning. */
export const row: Row = {
  name: 'moved',
  what: 'the database taken to another PostgreSQL by `pg_dump | psql`: earlier cursors, and both feeds from their beginning',
  seconds: 240,
  run: async (world) => {
    if (!BIN) return { figure: '', held: true, skipped: 'no PostgreSQL with pg_dump is installed' };
    const { expect, outcome } = verdict();
    const [from, to] = [await newServer(world), await newServer(world)];
    const first = await serve(world, from);
    const pack = await first.arrange.pack({ product_id: (await first.arrange.product({ stock: 1000 })).id });
    const order = (client: Client, n: number) =>
      client.call(createPedido, { body: { cliente_nombre: `Cliente ${n}`, cliente_direccion: 'Calle 1', pack_id: pack.id } });
    for (const n of range(ORDERS)) await order(first.admin, n);
    const before = { orders: await readAll(first.admin, ORDERS), events: await lastEvent(first.admin) };
    expect(before.orders.ids.length === ORDERS, () => `${before.orders.ids.length} of ${ORDERS} orders before`);
    // Advances the transaction ids, because an old server is far ahead of a new one.
    await query(from, 'DO $$ BEGIN FOR i IN 1..30000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$');
    await first.stop();

    const moved = spawnSync('bash', [
      '-c',
      `set -o pipefail; ${BIN}/pg_dump --no-owner '${from}' | ${BIN}/psql --quiet --set=ON_ERROR_STOP=1 --output=/dev/null '${to}'`,
    ]);
    if (moved.status !== 0) throw new Error(`pg_dump | psql: ${moved.stderr}`);
    const second = await serve(world, to);
    for (const n of range(LATER)) await order(second.admin, ORDERS + n);

    const refused = await second.admin.call(cambiosPedidos, { query: { desde: before.orders.cursor } });
    expect(
      refused.status === 410,
      () => `the cursor of before is answered ${refused.status} with ${JSON.stringify(refused.body).slice(0, 200)}`,
    );
    const events = await second.admin.call(listEvents, { query: { desde: before.events } });
    expect(events.status === 410, () => `the cursor of events is answered ${events.status}`);
    const after = await readAll(second.admin, ORDERS + LATER);
    expect(
      new Set(after.ids).size === ORDERS + LATER && after.ids.length === ORDERS + LATER,
      () => `from the beginning: ${new Set(after.ids).size} of ${ORDERS + LATER} orders, ${after.ids.length} rows`,
    );
    await order(second.admin, -1);
    const next = await readAll(second.admin, 1, after.cursor);
    expect(next.ids.length === 1, () => `then ${next.ids.length} changes after one order`);
    await second.stop();
    return outcome(
      `${ORDERS} orders moved, ${LATER} made later: ${new Set(after.ids).size} told, the old cursors ${refused.status} and ${events.status}`,
    );
  },
  control: [
    {
      guard: 'the identity of the server beside the mark',
      edits: [
        { file: 'server/run.ts', find: 'if (await followServer(db, renumberEvents))', replace: 'if (!followServer || !renumberEvents)' },
      ],
    },
  ],
};

async function newServer(world: World): Promise<string> {
  const { url, stop } = await startPostgres({}, BIN);
  world.atEnd(stop);
  await query(url, 'CREATE DATABASE shop');
  return withDatabase(url, 'shop');
}

async function serve(world: World, DATABASE_URL: string) {
  const env = { DATA_DIR: world.folder('data'), DATABASE_URL, SECRET_KEY: 'only for the torture: thirty-two characters' };
  const instance = await startInstance(env);
  world.atEnd(() => instance.stop('SIGKILL'));
  await instance.ready();
  const admin = await connectAs(instance.url, SUPERADMIN);
  return { admin, arrange: arranger(instance.url, admin), stop: () => instance.stop() };
}

/** Reads the feed until `wanted` orders have arrived, or for ten seconds, because rows of running transactions arrive later. */
async function readAll(client: Client, wanted: number, since?: string): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = [];
  let cursor = since;
  const end = Date.now() + 10_000;
  for (;;) {
    const { body } = await client.call(cambiosPedidos, { query: { limite: 20, ...(cursor && { desde: cursor }) } });
    ids.push(...body.data.map(({ id }) => id));
    cursor = body.cursor;
    if (body.hay_mas) continue;
    if (ids.length >= wanted || Date.now() > end) return { ids, cursor: cursor ?? '' };
    await sleep(200);
  }
}

async function lastEvent(client: Client): Promise<string> {
  const { body } = await client.call(listEvents, { query: {} });
  return body.cursor;
}
