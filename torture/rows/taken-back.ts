import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PACE, type Row } from '../row.ts';

const HISTORIES = 5000;

/** The property of test/taken-back.test.ts, on many more histories. */
export const row: Row = {
  name: 'taken-back',
  what: `${HISTORIES} random histories of orders, whose last acts are taken back in any order: the shop stands as before`,
  seconds: 3000,
  alone: true,
  run: async () => {
    const seed = Date.now() % 1_000_000;
    const { status, stdout } = spawnSync('npx', ['vitest', 'run', '--project', 'api', 'test/taken-back.test.ts', '--reporter', 'dot'], {
      cwd: join(import.meta.dirname, '../..'),
      encoding: 'utf8',
      env: { ...process.env, HISTORY: String(seed), RUNS: String(PACE.first ? HISTORIES / 10 : HISTORIES), STRICT: '1' },
      maxBuffer: 1e9,
    });
    const broken = [...new Set(stdout.match(/seed \d+: .{1,200}/g))].slice(0, 5).join(' · ');
    return {
      figure: `${HISTORIES} histories from ${seed}`,
      held: status === 0,
      ...(status !== 0 && { why: broken || stdout.slice(-400) }),
    };
  },
  control: [
    {
      guard: 'the counter-entries of what was earned',
      edits: [
        { file: 'server/deshacer/delivery.ts', find: 'run: () => reverseDelivery(tx, row.id)', replace: 'run: async () => undefined' },
      ],
    },
  ],
};
