import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ready, until } from '../../test/until.ts';
import { auditBooks } from '../books.ts';
import { range } from '../each.ts';
import { type Row, verdict } from '../row.ts';
import { missing, startTraffic } from '../traffic.ts';
import type { Shop } from '../world.ts';

const KILLS = 20;
const AT_ONCE = 6;

/** Processes to kill: the program, the supervisor, PostgreSQL and one of its backends. */
const VICTIMS: ((shop: Shop) => number)[] = [
  ({ instances }) => instances[0]?.child.pid ?? 0,
  ({ dataDir }) => parentOf(postmasterOf(dataDir)),
  ({ dataDir }) => postmasterOf(dataDir),
  ({ dataDir }) => childrenOf(postmasterOf(dataDir)).find((pid) => /postgres: enruta: postgres/.test(commandOf(pid))) ?? 0,
];

/** Orders acknowledged before `kill -9` are there afterwards, and the books balance. */
export const row: Row = {
  name: 'kill',
  what: `kill -9 of the program, its database's supervisor, the database and a backend, in turn, × ${KILLS} in the middle of writes`,
  seconds: 240,
  run: async (world) => {
    const shop = await world.open({ own: true });
    const pack = await shop.pack({ product_id: (await shop.product({ stock: 1_000_000 })).id });
    const all = { made: new Set<string>(), cancelled: new Set<string>() };
    const { expect, outcome } = verdict();
    let kills = 0;
    for (const n of range(KILLS)) {
      const traffic = startTraffic([shop.admin], pack.id, AT_ONCE);
      await until(
        () => traffic.made.size >= 15,
        () => 'nothing is made',
        60,
      );
      await sleep(Math.random() * 100);
      const victim = VICTIMS[n % VICTIMS.length]?.(shop) ?? 0;
      expect(victim > 0, () => `kill ${n}: nothing to kill`);
      process.kill(victim, 'SIGKILL');
      await traffic.stop();
      for (const id of traffic.made) all.made.add(id);
      for (const id of traffic.cancelled) all.cancelled.add(id);
      kills += 1;
      if (victim === shop.instances[0]?.child.pid) await shop.again();
      await until(
        () => ready(shop.url()),
        () => `kill ${n}: does not come back`,
        60,
      );
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
          find: 'const done = await db.transaction().execute((tx) =>\n        inTransaction.run(true, async () => {\n          const own = tx.withoutPlugins();\n          wakesOf.set(own, wakes);\n          await first?.begin(own);\n          const done = await work(own);\n          committing = true;\n          return done;\n        }),\n      );',
          replace:
            'const own = db.withoutPlugins() as Tx;\n      wakesOf.set(own, wakes);\n      await first?.begin(own);\n      const done = await work(own);',
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

const postmasterOf = (dataDir: string) => Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8');
function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
function childrenOf(pid: number): number[] {
  const isChild = (other: number) => {
    try {
      return parentOf(other) === pid;
    } catch {
      // The process has ended meanwhile.
      return false;
    }
  };
  return readdirSync('/proc').map(Number).filter(Number.isInteger).filter(isChild);
}
