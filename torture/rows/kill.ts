import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../test/until.ts';
import { auditBooks } from '../books.ts';
import { type Row, range, verdict } from '../row.ts';
import { missing, startTraffic } from '../traffic.ts';

const KILLS = 20;
const AT_ONCE = 6;

/** Whatever was acknowledged before `kill -9` is there afterwards, and everything adds up. */
export const row: Row = {
  name: 'kill',
  what: `kill -9 of the process × ${KILLS} in the middle of writes`,
  seconds: 240,
  run: async (world) => {
    const shop = await world.open({ own: true });
    const pack = await shop.pack({ product_id: (await shop.product({ stock: 1_000_000 })).id });
    const all = { made: new Set<string>(), cancelled: new Set<string>() };
    const { expect, outcome } = verdict();
    let kills = 0;
    for (const _ of range(KILLS)) {
      const traffic = startTraffic([shop.admin], pack.id, AT_ONCE);
      await until(
        () => traffic.made.size >= 15,
        () => 'nothing is made',
        60,
      );
      await sleep(Math.random() * 100);
      await shop.instances[0]?.stop('SIGKILL');
      await traffic.stop();
      for (const id of traffic.made) all.made.add(id);
      for (const id of traffic.cancelled) all.cancelled.add(id);
      kills += 1;
      await shop.again();
    }
    for (const line of await auditBooks(shop, shop.admin)) expect(false, () => line);
    const orders = await shop.inspect((db) => db.selectFrom('pedidos').select(['id', 'estado']).execute());
    for (const line of missing(all, new Map(orders.map(({ id, estado }) => [id, estado])))) expect(false, () => line);
    return outcome(`${kills} kills, ${all.made.size} orders and ${all.cancelled.size} cancellations acknowledged, all looked for`);
  },
  control: [
    {
      guard: 'the transaction',
      edits: [
        {
          file: 'server/db/open.ts',
          find: 'const done = await db.transaction().execute((tx) =>\n        inTransaction.run(true, () => {\n          const own = tx.withoutPlugins();\n          wakesOf.set(own, wakes);\n          return work(own);\n        }),\n      );',
          replace: 'const own = db.withoutPlugins() as Tx;\n      wakesOf.set(own, wakes);\n      const done = await work(own);',
        },
        {
          file: 'server/db/migrations/001-initial.ts',
          find: 'pedido_id uuid REFERENCES pedidos DEFERRABLE INITIALLY DEFERRED, -- the units',
          replace: 'pedido_id uuid, -- the units',
        },
      ],
    },
  ],
};
