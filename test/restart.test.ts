import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { childEnv } from './child-env.ts';
import { migratedFolder } from './data-folder.ts';
import { ready, until } from './until.ts';

const PER_SECOND = 40;
/** Passes one listening socket to each process in turn, like systemd with enruta.socket and `Restart=always`. */
const SYSTEMD = `while [ ! -e "$END" ]; do LISTEN_FDS=1 sh -c 'echo "pid $$"; LISTEN_PID=$$ exec "$@"' enruta "$@"; done`;

// Node has no public API for the descriptor of a listening socket.
const descriptorOf = (socket: object) => (socket as { _handle: { fd: number } })._handle.fd;

/** Runs the program on a socket that outlives it. */
async function runOnSocket(folder: string) {
  const dataDir = join(folder, 'data');
  await migratedFolder(dataDir);
  const socket = createServer();
  await new Promise<void>((resolve) => socket.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve));
  const { port } = socket.address() as AddressInfo;
  const END = join(folder, 'end');
  const program = [process.execPath, 'server/main.ts', '--dev'];
  const holder: ChildProcess = spawn('sh', ['-c', SYSTEMD, 'systemd', ...program], {
    env: { ...childEnv(), DATA_DIR: dataDir, END },
    stdio: ['ignore', 'pipe', 'pipe', descriptorOf(socket)],
  });
  socket.close();
  let output = '';
  for (const stream of [holder.stdout, holder.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const url = `http://127.0.0.1:${port}`;
  const pids = () => [...output.matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid));
  const stop = () => process.kill(pids().at(-1) ?? 0, 'SIGTERM');
  const started = (times: number) =>
    until(
      () => output.split('Enruta escucha').length > times,
      () => output,
    );
  const end = async () => {
    spawn('touch', [END]).once('exit', stop);
    await until(
      () => holder.exitCode !== null,
      () => output,
    );
  };
  await started(1);
  expect(await ready(url)).toBe(true);
  return { url, stop, started, end, output: () => output };
}

type Answer = { status: number | string; ms: number };
/** Number of requests before, between and after the restarts. */
const BETWEEN = 40;
/**
 * Sends requests at a steady rate, alternately on keep-alive and on new connections. Retries a request whose keep-alive connection was
 * closed meanwhile, as browsers and proxies do.
 */
function ask(url: string) {
  const kept = new Agent({ keepAlive: true });
  const answers: Promise<Answer>[] = [];
  let answered = 0;
  const askOnce = (agent: Agent | false) =>
    new Promise<Answer>((resolve) => {
      const since = performance.now();
      const note = (status: number | string) => {
        answered += 1;
        resolve({ status, ms: performance.now() - since });
      };
      const send = () => {
        const request = get(`${url}/api/empresa`, { agent }, (response) =>
          response.resume().once('end', () => note(response.statusCode ?? 0)),
        );
        request.once('error', (error: NodeJS.ErrnoException) => {
          if (request.reusedSocket && error.code === 'ECONNRESET') send();
          else note(error.code ?? error.message);
        });
      };
      send();
    });
  let n = 0;
  const timer = setInterval(() => answers.push(askOnce(n++ % 2 ? kept : false)), 1000 / PER_SECOND);
  return {
    more: () => {
      const enough = answered + BETWEEN;
      return until(
        () => answered >= enough,
        () => 'not answered',
      );
    },
    finish: async () => {
      clearInterval(timer);
      const all = await Promise.all(answers);
      kept.destroy();
      return all;
    },
  };
}

test('a restart under load refuses no request on a socket held by systemd', { timeout: 180_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'enruta-socket-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { url, stop, started, end, output } = await runOnSocket(folder);
  const { more, finish } = ask(url);
  const restarts: number[] = [];
  for (const times of [2, 3]) {
    await more();
    const since = performance.now();
    stop();
    await started(times);
    restarts.push(performance.now() - since);
  }
  await more();
  const answers = await finish();
  await end();
  expect(existsSync(join(folder, 'data/postgres/postmaster.pid'))).toBe(false);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  // A request waits for one restart and its own answer, however slow the machine is. The slowest response takes three to four seconds.
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(3 * Math.max(...restarts));
  expect(output()).not.toContain('"level":50');
});
