import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPedido, listPedidos } from '../../contract/pedidos/pedidos.ts';
import { connectAs } from '../../e2e/api.ts';
import { SUPERADMIN } from '../../e2e/server.ts';
import { freePort } from '../../test/free-port.ts';
import { ready, until } from '../../test/until.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Shop, World } from '../world.ts';

const ROOT = join(import.meta.dirname, '../..');
const PER_SECOND = 100;
const APART_MS = 3000;
const ROUNDS = 2;
const PROXIES = { nginx: startNginx, caddy: startCaddy };

/** Behind the proxies of deploy/, instances restart one after the other without a failed request. */
export const row: Row = {
  name: 'proxies',
  what: `two instances behind nginx and Caddy as deploy/ has them, restarted ${APART_MS / 1000} s apart under ${PER_SECOND} requests a second`,
  // Runs alone, because Caddy checks the instances three times a second, with a timeout of two seconds.
  alone: true,
  seconds: 150,
  run: async (world) => {
    const { expect, outcome } = verdict();
    const figures: string[] = [];
    for (const [name, start] of Object.entries(PROXIES)) {
      if (spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0) {
        figures.push(`${name} is not here`);
        continue;
      }
      const shop = await world.open({ instances: 2, env: { TRUST_PROXY: '127.0.0.1' } });
      const url = await start(world, shop);
      const { answers, restarts } = await rollUnder(shop, url);
      const failed = answers.filter((answer) => answer !== 200 && answer !== 201);
      expect(failed.length === 0, () => `${name}: ${tally(failed)}`);
      expect(answers.length > PER_SECOND * 5, () => `${name}: only ${answers.length} requests`);
      figures.push(`${name}: ${failed.length} of ${answers.length} failed, ${restarts} restarts`);
    }
    if (figures.every((figure) => figure.endsWith('not here')))
      return { figure: '', held: true, skipped: 'neither nginx nor caddy is installed' };
    return outcome(figures.join('; '));
  },
  control: [
    {
      guard: 'the notice before an instance refuses',
      edits: [{ file: 'server/run.ts', find: 'app.drain(socket !== undefined)', replace: 'app.close()' }],
    },
  ],
};

/** Restarts every instance in turn while orders are made and listed at an even pace. */
async function rollUnder(shop: Shop, url: string): Promise<{ answers: (number | string)[]; restarts: number }> {
  const pack = await shop.pack({ product_id: (await shop.product({ stock: 1_000_000 })).id });
  const client = await connectAs(url, SUPERADMIN);
  const body = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id: pack.id, cantidad: 1 };
  const answers: (number | string)[] = [];
  const asked: Promise<unknown>[] = [];
  const ask = (n: number) =>
    (n % 4 ? client.call(listPedidos, { query: { per_page: 5 } }) : client.call(createPedido, { body })).then(
      ({ status }) => answers.push(status),
      (error: Error & { cause?: { code?: string } }) => answers.push(error.cause?.code ?? error.message),
    );
  let n = 0;
  const timer = setInterval(() => asked.push(ask(n++)), 1000 / PER_SECOND);
  let restarts = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [i, instance] of [...shop.instances].entries()) {
      await instance.stop('SIGTERM');
      await shop.again(i);
      restarts += 1;
      await sleep(APART_MS);
    }
  }
  clearInterval(timer);
  await Promise.all(asked);
  return { answers, restarts };
}

async function startNginx(world: World, shop: Shop): Promise<string> {
  const folder = world.folder('nginx');
  const port = await freePort();
  const [first, second] = shop.instances.map(({ url }) => new URL(url).host);
  const site = readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8')
    .replace('127.0.0.1:3000', first as string)
    .replace('# server 127.0.0.1:3001', `server ${second}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('listen [::]:80;', '');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off;\npid nginx.pid;\nevents { worker_connections 4096; }\nhttp {\naccess_log off;\n${site}\n}\n`,
  );
  return serve(world, 'nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], {}, port);
}

async function startCaddy(world: World, shop: Shop): Promise<string> {
  const port = await freePort();
  const ENRUTA = shop.instances.map(({ url }) => new URL(url).host).join(' ');
  const env = { DOMAIN: `http://127.0.0.1:${port}`, ENRUTA, HOME: world.folder('caddy') };
  return serve(world, 'caddy', ['run', '--config', join(ROOT, 'deploy/Caddyfile'), '--adapter', 'caddyfile'], env, port);
}

async function serve(world: World, program: string, args: string[], env: Record<string, string>, port: number): Promise<string> {
  const child = spawn(program, args, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  // SIGTERM, because a killed nginx would leave its workers behind.
  world.atEnd(() => child.kill('SIGTERM'));
  let words = '';
  child.stderr.on('data', (chunk) => (words = (words + chunk).slice(-2000)));
  const url = `http://127.0.0.1:${port}`;
  await until(
    () => ready(url),
    () => `${program} does not answer: ${words}`,
  );
  return url;
}
