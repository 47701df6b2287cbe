import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createPedido } from '../../contract/pedidos/pedidos.ts';
import { connectAs } from '../../e2e/api.ts';
import { SUPERADMIN } from '../../e2e/server.ts';
import type { Client } from '../../test/client.ts';
import { freePort } from '../../test/free-port.ts';
import { ready, until } from '../../test/until.ts';
import { range } from '../each.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Shop, World } from '../world.ts';

const ROOT = join(import.meta.dirname, '../..');
const KILLS = 8;
const PER_SECOND = 50;

/** Behind nginx as configured in deploy/, no write is made twice, and the program's answers about its database reach the browser. */
export const row: Row = {
  name: 'nginx',
  what: `two instances behind nginx: kill -9 × ${KILLS} under ${PER_SECOND} orders a second without a key, then a PostgreSQL that restarts, then nobody`,
  alone: true,
  seconds: 240,
  run: async (world) => {
    if (spawnSync('sh', ['-c', 'command -v nginx']).status !== 0) return { figure: '', held: true, skipped: 'nginx is not installed' };
    const { expect, outcome } = verdict();
    const shop = await world.open({ instances: 2, env: { TRUST_PROXY: '127.0.0.1' } });
    const url = await startNginx(world, shop);
    const client = await connectAs(url, SUPERADMIN);
    const traffic = startOrders(client, (await shop.pack({ product_id: (await shop.product({ stock: 1_000_000 })).id })).id);

    for (const n of range(KILLS)) {
      await sleep(1200);
      await shop.instances[n % 2]?.stop('SIGKILL');
      await shop.again(n % 2);
    }
    await traffic.quiet();
    const killed = traffic.answers.splice(0);

    traffic.resume();
    await sleep(1000);
    await restartPostgres(shop);
    await sleep(5000);
    await traffic.stop();
    const bad = traffic.answers.filter(({ status }) => status !== 201);
    expect(
      bad.every(({ status, retry }) => status === 503 && retry),
      () => `while PostgreSQL restarted: ${tally(bad.map(({ status }) => status))}`,
    );

    const names = await shop.inspect((db) => db.selectFrom('pedidos').select('cliente_nombre').execute());
    const twice = names.length - new Set(names.map(({ cliente_nombre }) => cliente_nombre)).size;
    expect(twice === 0, () => `${twice} orders were made twice`);

    for (const instance of shop.instances) await instance.stop('SIGKILL');
    for (const accept of ['application/json', 'text/html']) {
      const answer = await fetch(`${url}/api/user`, { headers: { accept } });
      const text = await answer.text();
      const type = answer.headers.get('content-type') ?? '';
      expect(
        answer.status === 503 &&
          answer.headers.get('retry-after') !== null &&
          type.startsWith(accept) &&
          text.includes('No hay conexión con el servicio'),
        () => `${type}: ${text}`,
      );
    }
    return outcome(
      `${killed.length} orders, ${KILLS} kills: ${tally(killed.map(({ status }) => status))}, ${twice} twice; ` +
        `PostgreSQL restarted: ${tally(traffic.answers.map(({ status }) => status))}`,
    );
  },
  control: [
    {
      guard: 'that nginx sends no write twice',
      edits: [
        { file: 'deploy/nginx.conf', find: 'proxy_next_upstream error;', replace: 'proxy_next_upstream error http_503 non_idempotent;' },
      ],
    },
  ],
};

type Answered = { status: number | string; retry: string | undefined };
/** Creates orders at an even pace, each for a different customer. */
function startOrders(client: Client, pack_id: string) {
  const answers: Answered[] = [];
  const asked: Promise<unknown>[] = [];
  let n = 0;
  let going = true;
  const send = () => {
    if (!going) return;
    const body = { cliente_nombre: `Cliente ${n++}`, cliente_direccion: 'Calle 1', pack_id };
    asked.push(
      client.call(createPedido, { body }).then(
        ({ status, headers }) => answers.push({ status, retry: headers['retry-after'] as string | undefined }),
        (error: Error) => answers.push({ status: error.message, retry: undefined }),
      ),
    );
  };
  const timer = setInterval(send, 1000 / PER_SECOND);
  const quiet = async () => {
    going = false;
    await Promise.all(asked);
  };
  return {
    answers,
    quiet,
    resume: () => (going = true),
    stop: () => {
      clearInterval(timer);
      return quiet();
    },
  };
}

/** Kills a process of PostgreSQL, which makes the whole server recover. */
async function restartPostgres(shop: Shop): Promise<void> {
  const { rows } = await shop.inspect((db) =>
    sql<{
      pid: number;
    }>`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1`.execute(
      db,
    ),
  );
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
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
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], { stdio: ['ignore', 'ignore', 'pipe'] });
  // SIGTERM, because a killed nginx would leave its workers behind.
  world.atEnd(() => child.kill('SIGTERM'));
  let words = '';
  child.stderr.on('data', (chunk) => (words = (words + chunk).slice(-2000)));
  const url = `http://127.0.0.1:${port}`;
  await until(
    () => ready(url),
    () => `nginx does not answer: ${words}`,
  );
  return url;
}
