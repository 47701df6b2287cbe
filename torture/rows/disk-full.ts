import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { createPack, createProduct } from '../../contract/products/products.ts';
import { connectAs } from '../../e2e/api.ts';
import { SUPERADMIN } from '../../e2e/server.ts';
import type { Db } from '../../server/db/open.ts';
import { copyFolder } from '../../test/copy-folder.ts';
import { until } from '../../test/until.ts';
import { auditBooks } from '../books.ts';
import { type Row, tally, verdict } from '../row.ts';
import { startInstance } from '../server.ts';
import { missing, startTraffic } from '../traffic.ts';

const SIZE_MB = 400;

/** On a full disk, writes are refused with a sentence and reads work. All data is there once there is room. */
export const row: Row = {
  name: 'disk-full',
  what: 'the data folder on a small disk of its own, filled up under load, started while full, and given room again',
  seconds: 150,
  run: async (world) => {
    const folder = world.folder('disk');
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'tmpfs', folder], { stdio: 'pipe' });
    } catch (error) {
      return { figure: '', held: true, skipped: `no disk of its own without root: ${String(error).split('\n')[0]}` };
    }
    world.atEnd(() => execFileSync('umount', ['-l', folder]));
    const { DATA_DIR } = (await world.database({ own: true })) as { DATA_DIR: string };
    const database = { DATA_DIR: join(folder, 'data') };
    copyFolder(DATA_DIR, database.DATA_DIR);
    const { expect, outcome } = verdict();
    const start = async () => {
      const made = await startInstance(database);
      world.atEnd(() => made.stop('SIGKILL'));
      return made;
    };
    let instance = await start();
    await instance.ready();
    const admin = await connectAs(instance.url, SUPERADMIN);
    const { id: product_id } = (
      await admin.call(createProduct, { body: { name: 'Aceite', stock: 1_000_000, min_stock: 0, is_active: true } })
    ).body.data;
    const pack = (await admin.call(createPack, { body: { product_id, name: 'Caja', alias: 'C' } })).body.data;

    const traffic = startTraffic([admin], pack.id, 4);
    await until(
      () => traffic.made.size > 20,
      () => 'nothing is made',
      60,
    );
    const ballast = join(folder, 'ballast');
    fillDisk(ballast);
    const mark = traffic.answers.length;
    const refused = () => traffic.answers.slice(mark).filter(({ status }) => status >= 500 || status === 0).length;
    await until(
      () => refused() >= 4 || instance.child.exitCode !== null,
      () => 'the disk does not fill up',
      90,
    );
    const read = await admin.call(listPedidos).catch(() => undefined);
    expect(read?.status === 200, () => `reading while full: ${read?.status ?? 'no answer'}`);
    await traffic.stop();
    const bad = traffic.answers.filter(({ status }) => status !== 200 && status !== 201);
    expect(
      bad.every(({ status, retryAfter }) => (status === 503 || status === 507) && retryAfter),
      () => `writing while full: ${tally(bad.map(({ status, why }) => `${status} ${why}`))}`,
    );
    expect(instance.child.exitCode === null, () => `the process ended: ${instance.log().slice(-200)}`);

    await instance.stop('SIGKILL');
    instance = await start();
    const code = await Promise.race([
      instance.ended,
      instance.ready().then(
        () => 'ready',
        () => 'ended',
      ),
    ]);
    expect(code === 'ready' || /disco|espacio/i.test(instance.log()), () => `started while full: ${instance.log().slice(-200)}`);
    await instance.stop('SIGKILL');

    rmSync(ballast);
    instance = await start();
    await instance.ready();
    const again = await connectAs(instance.url, SUPERADMIN);
    const inspect = async <T>(work: (db: Db) => Promise<T>) => {
      await instance.stop();
      return world.lookInto(database, work);
    };
    for (const line of await auditBooks({ inspect }, again)) expect(false, () => line);
    const orders = await world.lookInto(database, (db) => db.selectFrom('pedidos').select(['id', 'estado']).execute());
    for (const line of missing(traffic, new Map(orders.map(({ id, estado }) => [id, estado])))) expect(false, () => line);
    return outcome(
      `${traffic.made.size} orders acknowledged until it was full, ${bad.length} refused: ${tally(bad.map(({ status }) => status))}; all looked for afterwards`,
    );
  },
  control: [
    {
      // Removes both guards, because each alone is enough for this row.
      guard: 'the refusal of writes while there is still room, and the recognition of a full disk',
      edits: [
        { file: 'server/app.ts', find: 'refuseWritesWithoutRoom(app, parts.freeRoom);', replace: '' },
        { file: 'server/kit/errors.ts', find: "code === '53100'", replace: "code === 'none'" },
        { file: 'server/kit/errors.ts', find: '(08|57|53)...', replace: '(08|57)...' },
      ],
    },
  ],
};

function fillDisk(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(65_536));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}
