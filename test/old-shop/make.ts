import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { connect, connectAs } from '../../e2e/api.ts';
import { JOBS } from '../../server/jobs/wake.ts';
import { openFolder } from '../data-folder.ts';
import { freePort } from '../free-port.ts';
import { REDSYS, STRIPE } from '../paying.ts';
import { until } from '../until.ts';
import { openHands } from './hands.ts';
import { fillInvoices, fillMoney } from './money.ts';
import { fillCustomers, fillOffice } from './office.ts';
import { fillCash, fillReturns, fillRoad } from './road.ts';
import { fillWebShops } from './web-shops.ts';

/*
 * Makes `test/folders/VERSION.tar.br`, the data folder of this version for `test/upgrade.test.ts`: `node test/old-shop/make.ts`, when the next
 * version begins. It is the demonstration with one of everything that a shop may hold, stopped in order, with one queued job of each kind.
 */

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const root = mkdtempSync(join(tmpdir(), 'enruta-folder-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true }));
const dataDir = join(root, version);
const port = await freePort();
const url = `http://127.0.0.1:${port}`;

const env = { PATH: process.env.PATH, DATA_DIR: dataDir, BACKUP_DIR: join(root, 'copias'), PORT: String(port), LOG_LEVEL: 'error' };
const program = spawn(process.execPath, ['server/main.ts', '--demo'], {
  env: { ...env, WEBHOOKS_PRIVATE: '1', ...STRIPE, ...REDSYS },
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.once('exit', () => program.kill('SIGKILL'));
let output = '';
program.stdout.on('data', (chunk) => (output += chunk));
await until(
  () => output.includes('Enruta escucha') || program.exitCode !== null,
  () => output,
);

const address = `postgres://postgres@${encodeURIComponent(join(dataDir, 'socket'))}/postgres`;
async function asSuperuser<T>(work: (run: (text: string) => Promise<pg.QueryResult>) => Promise<T>): Promise<T> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    return await work((text) => client.query(text));
  } finally {
    await client.end();
  }
}

await asSuperuser(async (run) => {
  // Segments of the log that are used again hold old pages, which are the most of the file.
  for (const text of ['ALTER SYSTEM SET wal_recycle = off', 'SELECT pg_reload_conf()']) await run(text);
  const wait = (text: string) =>
    until(
      async () => Boolean((await run(text)).rowCount),
      () => `nothing came: ${text}`,
    );
  const hands = await openHands({
    ...{ url, run, wait, nobody: connect(url), connectAs: (who) => connectAs(url, who) },
    admin: await connectAs(url, { email: 'admin@demo.enruta.es', password: 'aceite-de-oliva' }),
    reseller: await connectAs(url, { email: 'revendedor@demo.enruta.es', password: 'miel-de-encina' }),
  });
  for (const fill of [fillCash, fillRoad, fillMoney, fillReturns, fillCustomers, fillWebShops, fillOffice, fillInvoices]) {
    console.log(fill.name);
    await fill(hands);
  }
});
const ended = once(program, 'exit');
program.kill('SIGTERM');
await ended;

const { boss: options, close } = await openFolder(dataDir);
const boss = new PgBoss({ ...options, schema: 'jobs', supervise: false, schedule: false });
await boss.start();
for (const name of JOBS) await boss.send(name);
await boss.stop({ graceful: false });
await asSuperuser(async (run) => {
  // Waits for years, because a message that is tried in vain is a failure.
  await run("UPDATE outbox SET due_at = now() + interval '9 years', attempts = 1 WHERE sent_at IS NULL AND failed_at IS NULL");
  // Folded into the totals within seconds while the shop runs.
  await run(`INSERT INTO pedidos_totales_cambios (dia, estado, pedidos, total_cents) VALUES (current_date, 'pendiente', 0, 0)`);
  for (const text of ['VACUUM FULL', 'ALTER SYSTEM RESET wal_recycle', 'SELECT pg_switch_wal()', 'CHECKPOINT']) await run(text);
});
await close();

const tar = execFileSync('tar', ['c', '-C', root, `--exclude=${version}/socket`, version], { maxBuffer: 2 ** 30 });
const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
writeFileSync(join(import.meta.dirname, `../folders/${version}.tar.br`), brotliCompressSync(tar, { params }));
