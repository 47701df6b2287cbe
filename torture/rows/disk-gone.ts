import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBucket } from '../../test/bucket-server.ts';
import { until } from '../../test/until.ts';
import { range } from '../each.ts';
import { type Row, verdict } from '../row.ts';
import { runCommand } from '../server.ts';
import { startTraffic } from '../traffic.ts';

const ROUNDS = 2;
/** Seconds of acknowledged work that may be lost: a minute until a WAL segment ends, and its upload. */
const LOST = 90;
const SECRET_KEY = 'only for the torture: thirty-two characters';

/** The data folder is deleted under load. The bucket alone restores all orders except those of the last ninety seconds. */
export const row: Row = {
  name: 'disk-gone',
  what: `the whole data folder deleted under load, × ${ROUNDS}, and brought back from the bucket`,
  seconds: 900,
  run: async (world) => {
    const { expect, outcome } = verdict();
    const counts = { acknowledged: 0, due: 0, lost: 0 };
    for (const n of range(ROUNDS)) {
      const bucket = await startBucket();
      const shop = await world.open({ own: true, env: { ...bucket.env, SECRET_KEY } });
      const pack = await shop.pack({ product_id: (await shop.product({ stock: 1_000_000 })).id });
      const since = new Map<string, number>();
      const traffic = startTraffic([shop.admin], pack.id, 2);
      const end = Date.now() + (LOST + 20 + Math.random() * 60) * 1000;
      while (Date.now() < end) {
        for (const id of traffic.made) if (!since.has(id)) since.set(id, Date.now());
        await sleep(200);
      }
      const gone = Date.now();
      const postmaster = Number(readFileSync(join(shop.dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
      await shop.instances[0]?.stop('SIGKILL');
      // Kills PostgreSQL too, which would otherwise write into the deleted folder again.
      process.kill(postmaster, 'SIGKILL');
      await until(
        () => !existsSync(`/proc/${postmaster}`),
        () => 'PostgreSQL does not end',
        60,
      );
      rmSync(shop.dataDir, { recursive: true, force: true, maxRetries: 5 });
      await traffic.stop();
      const { code, output } = await runCommand({ DATA_DIR: shop.dataDir, SECRET_KEY, ...bucket.env }, ['restore', '--hasta', 'ahora']);
      expect(code === 0, () => `round ${n}: ${output.slice(-400)}`);
      if (code !== 0) continue;
      const orders = new Set((await shop.inspect((db) => db.selectFrom('pedidos').select('id').execute())).map(({ id }) => id));
      for (const [id, at] of since) {
        counts.acknowledged += 1;
        if (!orders.has(id)) counts.lost += 1;
        if (at > gone - LOST * 1000) continue;
        counts.due += 1;
        expect(orders.has(id), () => `round ${n}: an order acknowledged ${Math.round((gone - at) / 1000)} s before is lost`);
      }
      const log = [...bucket.objects.keys()].filter((key) => key.includes('/log/')).toSorted();
      const [before = '', harmed = '', after = ''] = log.slice(-3);
      const whole = bucket.objects.get(harmed) ?? Buffer.alloc(0);
      for (const [harm, says, bytes] of [
        ['deleted', 'Falta de', undefined],
        ['exchanged with the next', 'es de otro archivo', bucket.objects.get(after)],
        ['copied from the one before', 'es de otro archivo', bucket.objects.get(before)],
        ['cut', harmed, whole.subarray(0, whole.length - 1)],
      ] as const) {
        if (bytes) bucket.objects.set(harmed, bytes);
        else bucket.objects.delete(harmed);
        const refused = await runCommand({ DATA_DIR: shop.dataDir, SECRET_KEY, ...bucket.env }, [
          'restore',
          '--hasta',
          'ahora',
          '--sobrescribir',
        ]);
        expect(
          refused.code === 4 && refused.output.includes('Falta de') && refused.output.includes(says),
          () => `a piece ${harm}: ${refused.code} ${refused.output.slice(-400)}`,
        );
      }
      bucket.close();
    }
    expect(counts.due > 0, () => 'no order was old enough');
    return outcome(`${counts.acknowledged} orders acknowledged, ${counts.due} of them over ${LOST} s before, ${counts.lost} lost`);
  },
  control: [
    {
      guard: 'the pieces of the log',
      edits: [
        {
          file: 'server/archive/ship.ts',
          find: '    if (!(await isStored(shipping, chain, name, path, at))) await store(shipping, chain, path, at);\n',
          replace: '',
        },
      ],
    },
    {
      guard: 'that a piece is encrypted for its name',
      edits: [{ file: 'server/archive/ship.ts', find: 'at: string): string => ', replace: 'at: string): string => (at && key) || ' }],
    },
  ],
};
