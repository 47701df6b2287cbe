import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/free-port.ts';
import { run, serve } from './process.ts';

const STARTS = 5;

/** Measures a release's time to the first answer, and its memory five seconds later, on a PostgreSQL by URL and on its own. */
export async function measureStarts([byUrl, own]: [Record<string, string>, Record<string, string>], orders: number) {
  const folder = mkdtempSync(join(tmpdir(), 'enruta-bench-start-'));
  try {
    await run('deploy/release.ts', [folder, '--no-tarball'], {});
    const [program = ''] = globSync(join(folder, 'enruta-*/server/program/main.js'));
    return [await measure(program, 'by URL', byUrl, orders), await measure(program, 'own', own, orders)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(program: string, name: string, database: Record<string, string>, orders: number) {
  const times: number[] = [];
  const memory: number[] = [];
  for (let i = 0; i < STARTS; i += 1) {
    const port = await freePort();
    const env = { ...database, PORT: String(port), LOG_LEVEL: 'error' };
    const { pid, ms, stop } = await serve(program, env, `http://127.0.0.1:${port}/readyz`);
    times.push(ms);
    // Waits until the work of the start is over.
    await sleep(5000);
    memory.push(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024);
    await stop();
  }
  const [ms, mb] = [median(times), median(memory)];
  return { database: name, orders, 'ms to the first answer': Math.round(ms), 'MB after it': Math.round(mb) };
}

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[numbers.length >> 1] as number;
