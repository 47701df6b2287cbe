import { sql } from 'kysely';
import { until } from '../../test/until.ts';
import { auditBooks } from '../books.ts';
import { range } from '../each.ts';
import { type Row, tally, verdict } from '../row.ts';
import { missing, startTraffic } from '../traffic.ts';

const KILLS = 10;
// Service usually returns within two seconds. The limit allows for PostgreSQL's recovery on a busy machine.
const BACK_SECONDS = 20;

/** PostgreSQL killed under load: clients get 503 with Retry-After, and no acknowledged order is lost. */
export const row: Row = {
  name: 'database-kills',
  what: `kill -9 of a PostgreSQL process × ${KILLS} under load, which makes the whole server recover`,
  // Kills the server that the other rows use.
  alone: true,
  seconds: 180,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const admins = await shop.crew('superadmin', 4);
    const pack = await shop.pack({ product_id: (await shop.product({ stock: 1_000_000 })).id });
    const traffic = startTraffic(admins, pack.id, 8);
    const { expect, outcome } = verdict();
    const back: number[] = [];
    for (const _ of range(KILLS)) {
      const before = traffic.made.size;
      await until(
        () => traffic.made.size >= before + 20,
        () => 'nothing is made',
        60,
      );
      const pid = await shop.inspect(
        async (db) =>
          (
            await sql<{
              pid: number;
            }>`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1`.execute(
              db,
            )
          ).rows[0]?.pid,
      );
      if (!pid) throw new Error('PostgreSQL has no process of ours');
      process.kill(pid, 'SIGKILL');
      const since = performance.now();
      // Waits for more orders than were in flight. Failures would not show the recovery, because requests are held meanwhile.
      const made = traffic.made.size + 8 + 10;
      await until(
        () => traffic.made.size >= made,
        () => 'the service does not come back',
        BACK_SECONDS,
      );
      back.push((performance.now() - since) / 1000);
    }
    await traffic.stop();
    const bad = traffic.answers.filter(({ status }) => status !== 201 && status !== 200);
    expect(
      bad.every(({ status, retryAfter }) => status === 503 && Number(retryAfter) > 0),
      () =>
        `answers other than 503 with Retry-After: ${tally(bad.filter(({ status, retryAfter }) => status !== 503 || !retryAfter).map(({ status, why }) => `${status} ${why}`))}`,
    );
    for (const line of await auditBooks(shop, shop.admin)) expect(false, () => line);
    const orders = await shop.inspect((db) => db.selectFrom('pedidos').select(['id', 'estado']).execute());
    for (const line of missing(traffic, new Map(orders.map(({ id, estado }) => [id, estado])))) expect(false, () => line);
    return outcome(
      `${KILLS} kills, ${traffic.made.size} orders acknowledged, ${tally(traffic.answers.map(({ status }) => status))}; back after at most ${Math.max(...back).toFixed(1)} s`,
    );
  },
  control: [
    {
      guard: 'the recognition of a database that is away',
      edits: [{ file: 'server/kit/errors.ts', find: 'if (status === 503 || isDatabaseAway(error)) {', replace: 'if (status === 503) {' }],
    },
  ],
};
