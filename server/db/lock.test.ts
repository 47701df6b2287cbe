import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../test/until.ts';

/* Separate processes that lock the same folder. */

const HOLD = `
  const { lockFolder } = await import('./server/db/lock.ts');
  try {
    const release = await lockFolder(process.argv[1]);
    console.log('held');
    process.on('SIGTERM', () => release().then(() => process.exit(0)));
    setInterval(() => {}, 1000);
  } catch (error) {
    console.log(error.message);
    process.exit(1);
  }`;
const NODE = [process.execPath, '--eval', HOLD];
/** Runs in its own PID namespace, as in a container. */
const ALONE = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];

let root: string;
let folder: string;
const running = new Set<ChildProcess>();
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'enruta-lock-'));
  folder = join(root, 'data');
  mkdirSync(folder);
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
  rmSync(root, { recursive: true, force: true });
});

/** Starts a process that locks `path`. Resolves once the process has the lock or has failed. */
async function hold(path = folder, wrapper: string[] = []) {
  const [command = '', ...fields] = [...wrapper, ...NODE, path];
  const child = spawn(command, fields);
  running.add(child);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  await until(
    () => /held|carpeta de datos/.test(output) || child.exitCode !== null,
    () => `silent: ${output}`,
    60,
  );
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await until(ended, () => 'does not end', 30);
  };
  return { child, holds: output.startsWith('held'), output: () => output, ended, end };
}

function mayUnshare(): boolean {
  try {
    execFileSync(ALONE[0] as string, [...ALONE.slice(1), 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('skipped: this user may not make PID namespaces (unshare)');
    return false;
  }
}

describe('the lock of the data folder', () => {
  it('a second process is refused at once with a Spanish sentence, whatever its path to the folder', async () => {
    const other = join(root, 'otra');
    symlinkSync(folder, other);
    expect((await hold()).holds).toBe(true);
    for (const path of [folder, `${folder}/`, other]) {
      const second = await hold(path);
      expect(second.output()).toMatch(/ya la usa otro proceso de Enruta \(pid \d+ de .+\)/);
    }
  });

  it('the lock is free after a regular end, and exactly one process takes over the lock of a killed process', async () => {
    const first = await hold();
    await first.end('SIGTERM');
    const killed = await hold();
    expect(killed.holds).toBe(true);
    await killed.end('SIGKILL');
    const several = await Promise.all(Array.from({ length: 4 }, () => hold()));
    expect(several.filter(({ holds }) => holds)).toHaveLength(1);
  });

  it('the lock is free in a copy of a folder in use', async () => {
    expect((await hold()).holds).toBe(true);
    const copy = join(root, 'copia');
    execFileSync('cp', ['-a', folder, copy]);
    expect((await hold(copy)).holds).toBe(true);
  });

  it('a process that has lost its lock file stops', async () => {
    const first = await hold();
    rmSync(join(folder, 'enruta.lock'));
    await until(first.ended, () => 'goes on', 30);
    expect(first.output()).toMatch(/se ha quedado sin su archivo/);
  });

  it.skipIf(!mayUnshare())('the lock works across PID namespaces by heartbeat alone', async () => {
    const first = await hold(folder, ALONE);
    expect(first.holds).toBe(true);
    // The two processes have pid 1 in their namespaces, so the pid is meaningless.
    expect((await hold(folder, ALONE)).output()).toMatch(/ya la usa otro proceso de Enruta \(pid 1 de/);
    expect((await hold()).output()).toMatch(/ya la usa otro proceso de Enruta/);

    const inside = Number(readFileSync(`/proc/${first.child.pid}/task/${first.child.pid}/children`, 'utf8').trim());
    process.kill(inside, 'SIGSTOP');
    const rivals = await Promise.all([hold(folder, ALONE), hold(folder, ALONE)]);
    expect(rivals.filter(({ holds }) => holds)).toHaveLength(1);
    const alive = () => rivals.filter(({ ended }) => !ended()).length;
    // `unshare` stops and continues with its child.
    first.child.kill('SIGCONT');
    process.kill(inside, 'SIGCONT');
    await until(first.ended, () => 'the suspended one goes on', 30);
    expect(first.output()).toMatch(/la ha tomado otro proceso de Enruta mientras este estaba suspendido/);
    // The process without the lock may still be ending.
    await until(
      () => alive() <= 1,
      () => 'two go on',
      30,
    );
    expect(alive()).toBe(1);
  });
});
