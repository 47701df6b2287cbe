import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/* `node bench/waits.ts [specs]`: the ten longest waits of a person's day in which the screen says nothing, as the browser times them. */

const DAY = ['clics', 'main-job', 'transportista', 'revendedor', 'lote', 'devoluciones', 'liquidaciones'].map(
  (name) => `e2e/${name}.spec.ts`,
);
const LONG_MS = 300;
const folder = mkdtempSync(join(tmpdir(), 'enruta-waits-'));
const WAITS = join(folder, 'waits.jsonl');
type Wait = { what: string; path: string; ms: number; requests: number; busy: boolean };
try {
  const specs = process.argv.length > 2 ? process.argv.slice(2) : DAY;
  spawnSync('npx', ['playwright', 'test', '--config', 'bench/waits.config.ts', ...specs], {
    stdio: 'inherit',
    env: { ...process.env, WAITS },
  });
  const waits: Wait[] = readFileSync(WAITS, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const isOpening = ({ what }: Wait) => what.startsWith('opens ');
  for (const [title, kind] of [
    ['presses', waits.filter((wait) => !isOpening(wait))],
    ['opened pages', waits.filter(isOpening)],
  ] as const) {
    const sorted = kind.toSorted((a, b) => b.ms - a.ms);
    const long = sorted.filter(({ ms }) => ms > LONG_MS).length;
    console.log(`${sorted.length} ${title}, median ${sorted[sorted.length >> 1]?.ms} ms, ${long} above ${LONG_MS} ms; the ten longest:`);
    console.table(sorted.slice(0, 10));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
