import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPack, createProduct } from '../../contract/products/products.ts';
import { connectAs } from '../../e2e/api.ts';
import { SUPERADMIN } from '../../e2e/server.ts';
import type { Db } from '../../server/db/open.ts';
import { until } from '../../test/until.ts';
import { auditBooks } from '../books.ts';
import { type Row, verdict } from '../row.ts';
import { startInstance } from '../server.ts';
import { missing, startTraffic } from '../traffic.ts';

const CUTS = 10;
const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe' });

/** Orders acknowledged before the power cut are on the disk, and the books balance. */
export const row: Row = {
  name: 'power-cut',
  what: `the disk of the data folder as it is at ${CUTS} instants under load, with all that was not written to it gone`,
  seconds: 300,
  run: async (world) => {
    const folder = world.folder('power-cut');
    let disk: Disk;
    try {
      disk = makeDisk(folder, world.atEnd);
    } catch (error) {
      return {
        figure: '',
        held: true,
        skipped: `no disk that can be copied in an instant (root, xfsprogs): ${String(error).split('\n')[0]}`,
      };
    }
    const DATA_DIR = join(disk.mounted, 'data');
    const start = async (dataDir: string) => {
      const instance = await startInstance({ DATA_DIR: dataDir });
      world.atEnd(() => instance.stop('SIGKILL'));
      await instance.ready();
      return { instance, admin: await connectAs(instance.url, SUPERADMIN) };
    };
    const { instance, admin } = await start(DATA_DIR);
    const product = { name: 'Aceite', stock: 1_000_000, min_stock: 0, is_active: true };
    const { id: product_id } = (await admin.call(createProduct, { body: product })).body.data;
    const pack = (await admin.call(createPack, { body: { product_id, name: 'Caja', alias: 'C' } })).body.data;

    const traffic = startTraffic([admin], pack.id, 6);
    const cuts: { made: Set<string>; cancelled: Set<string>; image: string }[] = [];
    for (let n = 0; n < CUTS; n += 1) {
      const before = traffic.made.size;
      await until(
        () => traffic.made.size >= before + 15,
        () => 'nothing is made',
        60,
      );
      await sleep(Math.random() * 300);
      // Copies the sets first, because only orders acknowledged before the snapshot count.
      cuts.push({ made: new Set(traffic.made), cancelled: new Set(traffic.cancelled), image: disk.copy(n) });
    }
    await traffic.stop();
    await instance.stop('SIGKILL');

    const { expect, outcome } = verdict();
    for (const [n, { image, ...acknowledged }] of cuts.entries()) {
      const dataDir = join(disk.mount(image), 'data');
      const { instance, admin } = await start(dataDir);
      const inspect = async <T>(work: (db: Db) => Promise<T>) => {
        await instance.stop();
        return world.lookInto({ DATA_DIR: dataDir }, work);
      };
      for (const line of await auditBooks({ inspect }, admin)) expect(false, () => `cut ${n}: ${line}`);
      const orders = await inspect((db) => db.selectFrom('pedidos').select(['id', 'estado']).execute());
      const found = new Map(orders.map(({ id, estado }) => [id, estado]));
      for (const line of missing(acknowledged, found)) expect(false, () => `cut ${n}: ${line}`);
    }
    return outcome(
      `${CUTS} cuts, up to ${cuts.at(-1)?.made.size} orders and ${cuts.at(-1)?.cancelled.size} cancellations acknowledged before`,
    );
  },
  control: [
    {
      guard: 'the wait for the disk',
      edits: [{ file: 'server/db/embedded/embedded.ts', find: "fsync: 'on'", replace: "fsync: 'off'" }],
    },
  ],
};

type Disk = {
  mounted: string;
  /** Takes an instant snapshot of the data that has reached the disk; returns the image. */
  copy: (n: number) => string;
  /** Mounts an image; returns the mount point. */
  mount: (image: string) => string;
};

/** Creates a disk in a file, on a file system with copy-on-write copies. Throws where such a file system is not available. */
function makeDisk(folder: string, atEnd: (work: () => unknown) => void): Disk {
  const mount = (image: string) => {
    const at = `${image}.mounted`;
    mkdirSync(at);
    run('mount', '-o', 'loop', image, at);
    atEnd(() => run('umount', '-l', at));
    return at;
  };
  const outer = join(folder, 'outer');
  run('truncate', '--size=6G', outer);
  run('mkfs.xfs', '-q', '-m', 'reflink=1', outer);
  const shared = mount(outer);
  const inner = join(shared, 'inner');
  run('truncate', '--size=2G', inner);
  run('mkfs.ext4', '-q', inner);
  const copy = (n: number) => {
    const image = join(shared, `cut-${n}`);
    run('cp', '--reflink=always', inner, image);
    return image;
  };
  return { mounted: mount(inner), copy, mount };
}
