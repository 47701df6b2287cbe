import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { connectAs } from '../e2e/api.ts';
import { openPostgres } from '../server/db/open.ts';
import { freePort } from '../test/free-port.ts';
import { startPostgres, withDatabase } from '../test/postgres.ts';
import { auditBooks } from '../torture/books.ts';
import { measureScreens } from './browser.ts';
import { drive, type Figure } from './drive.ts';
import { measureExports } from './exports.ts';
import { measureImport } from './import.ts';
import { measureInp } from './inp.ts';
import { measureLote } from './lote.ts';
import { measureMemory } from './memory.ts';
import { unpaidPage } from './pagar.ts';
import { ADMIN, CARRIER, RESELLER } from './people.ts';
import { run, serve } from './process.ts';
import { requestsOf, sampleOf } from './requests.ts';
import { measureRoad } from './road.ts';
import { measureRuta } from './ruta.ts';
import { measureSize } from './sizes.ts';
import { measureSlow } from './slow.ts';
import { measureStarts } from './start.ts';
import { headersOf, measureWrites } from './writes.ts';

/*
 * `npm run bench [orders [minutes]]`: by default 100,000 orders and five minutes of load. Fills shops of 10,000, 100,000
 * and 1,000,000 orders, up to that number, on a PostgreSQL by URL and on the program's own, and measures each request.
 * On PostgreSQL, the largest shop is also compared with a bare handler. Reads and writes run over 10 and 50 connections,
 * and the books are checked after the writes. Further parts: screens, a slow line, a phone through ten faults, exports,
 * an import, batch actions and starts. Memory is measured on both databases.
 * Also writes the tables to `dist/bench.json`, even of a run that is stopped after `LIMIT_MINUTES`. A part that fails is left out and named at
 * the end, and the run exits with 1; a request that is slower in a larger shop fails too (`FLAT`).
 */
const ORDERS = Number(process.argv[2] ?? 100_000);
const MINUTES = Number(process.argv[3] ?? 5);
const SIZES = [10_000, 100_000, 1_000_000].filter((size) => size < ORDERS).concat(ORDERS);
const LIMIT_MINUTES = Math.ceil(26 + ORDERS / 10_000 + 2 * MINUTES);
/** Most times the time of the smallest shop that a request may take in the largest; searches look through more. */
const FLAT = 1.3;
/** Difference in ms that is no growth, but the jitter of one measurement. */
const JITTER_MS = 2;
const ROUNDS = 3;
const PEOPLE = { admin: ADMIN, carrier: CARRIER };
const JSON_FILE = 'dist/bench.json';
const SECRET_KEY = 'only for the bench: thirty-two characters';
const reports: Record<string, object[]> = {};
const failures: string[] = [];

console.log(`${SIZES.join(', ')} orders on both databases; at most ${LIMIT_MINUTES} minutes.`);
setTimeout(() => {
  failures.push(`given up after ${LIMIT_MINUTES} minutes`);
  conclude();
  process.exit(1);
}, LIMIT_MINUTES * 60_000).unref();

// Shared buffers are a quarter of 2 GB, as PostgreSQL's manual advises. Synchronous commits are visible to a VACUUM right after.
const postgres = await startPostgres({ shared_buffers: '512MB', synchronous_commit: 'on' });
const folder = mkdtempSync(join(tmpdir(), 'enruta-bench-'));
const stops: (() => unknown)[] = [postgres.stop, () => rmSync(folder, { recursive: true, force: true })];
try {
  const [byUrl, own] = [await fillAll('by URL', databaseOf), await fillAll('own', folderOf)];
  await table('p50 by number of orders, ms', () => compareSizes({ 'by URL': byUrl, own }));
  await part('the largest shop', async () => measureLargest(await databaseOf(ORDERS, false)));
  await table('starts', async () => measureStarts([await databaseOf(ORDERS, false), folderOf(ORDERS)], ORDERS));
  await table('memory under mixed load', async () => [
    { database: 'by URL', ...(await memoryOf(await databaseOf(ORDERS, false))) },
    { database: 'own', ...(await memoryOf(folderOf(ORDERS))) },
  ]);
  conclude();
} finally {
  for (const stop of stops) await stop();
}

/** Writes all tables so far, and names what failed. */
function conclude(): void {
  mkdirSync(dirname(JSON_FILE), { recursive: true });
  writeFileSync(JSON_FILE, JSON.stringify({ orders: ORDERS, at: new Date().toISOString(), failed: failures, ...reports }, null, 2));
  console.log(`Written to ${JSON_FILE}`);
  if (!failures.length) return;
  console.error(`\n✗ Failed: ${failures.join('; ')}`);
  process.exitCode = 1;
}

type Env = Record<string, string>;

async function databaseOf(orders: number, made = true): Promise<Env> {
  const name = `orders_${orders}`;
  if (made) await ask(postgres.url, `CREATE DATABASE ${name}`);
  return { DATABASE_URL: withDatabase(postgres.url, name), SECRET_KEY };
}
function folderOf(orders: number): Env {
  return { DATA_DIR: join(folder, String(orders)), SECRET_KEY };
}

/** Fills a shop of each size and measures its requests. */
async function fillAll(name: string, place: (orders: number) => Env | Promise<Env>) {
  const sizes: Map<string, number>[] = [];
  for (const orders of SIZES) {
    console.log(`Filling ${orders} orders, ${name}…`);
    const figures = new Map<string, number>();
    sizes.push(figures);
    await part(`${orders} orders, ${name}`, async () => {
      const env = await place(orders);
      const since = performance.now();
      await run('bench/fill.ts', [String(orders)], env);
      figures.set('filling, s', Math.round((performance.now() - since) / 1000));
      const { url, stop } = await open(env);
      try {
        for (const [what, ms] of await measureSize(url, orders, PEOPLE)) figures.set(what, ms);
      } finally {
        await stop();
      }
    });
  }
  return sizes;
}

function compareSizes(databases: Record<string, Map<string, number>[]>) {
  const kinds = new Set(Object.values(databases).flatMap((sizes) => sizes.flatMap((size) => [...size.keys()])));
  return [...kinds].map((what) => {
    const row: Record<string, string | number> = { what };
    for (const [name, sizes] of Object.entries(databases)) {
      const figures = sizes.map((size) => size.get(what) ?? Number.NaN);
      for (const [i, orders] of SIZES.entries()) row[`${name} ${orders}`] = figures[i] ?? '';
      const [least = 0, most = 0] = [figures[0], figures.at(-1)];
      const times = round(most / least);
      row[`${name}: times`] = times;
      if (times > FLAT && most - least > JITTER_MS && !/search|letters|the same|filling/.test(what))
        failures.push(`${what}, ${name}: ${times} times with ${ORDERS} orders`);
    }
    return row;
  });
}

/** Starts the program on a database. */
async function open(env: Env) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  return { url, ...(await serve('server/main.ts', { ...env, PORT: String(port), LOG_LEVEL: 'error' }, `${url}/readyz`)) };
}

async function memoryOf(env: Env) {
  const server = await open(env);
  const found = await measureMemory(server, { orders: ORDERS, minutes: MINUTES, people: PEOPLE });
  await server.stop();
  return found;
}

/** Measurements of one shop only, on PostgreSQL. */
async function measureLargest(database: Env & { DATABASE_URL?: string }) {
  const DATABASE_URL = database.DATABASE_URL ?? '';
  const server = await open(database);
  const { url } = server;
  const barePort = await freePort();
  const bare = `http://127.0.0.1:${barePort}`;
  const other = await serve('bench/bare.ts', { DATABASE_URL, PORT: String(barePort) }, `${bare}/list`);
  try {
    await measureParts({ url, bare, DATABASE_URL });
  } finally {
    await other.stop();
    await server.stop();
  }
}

async function measureParts({ url, bare, DATABASE_URL }: { url: string; bare: string; DATABASE_URL: string }) {
  const admin = await connectAs(url, ADMIN);
  const headers = headersOf(admin);
  const sample = await sampleOf(admin);
  const one = () => sample[Math.floor(Math.random() * sample.length)]?.id;

  // Alternates, so that a slow moment of the machine affects both.
  const compare = async (name: string, ours: () => string, theirs: () => string, connections: number) => {
    const [a, b]: [Figure[], Figure[]] = [[], []];
    await drive(ours, { headers, ms: 1500, connections });
    await drive(theirs, { ms: 1500, connections });
    for (let round = 0; round < ROUNDS; round += 1) {
      a.push(await drive(ours, { headers, connections }));
      b.push(await drive(theirs, { connections }));
    }
    const [x, y] = [median(a.map((f) => f.perSecond)), median(b.map((f) => f.perSecond))];
    return {
      what: `${name}, ${connections} connections`,
      'ours /s': Math.round(x),
      'bare /s': Math.round(y),
      ratio: Math.round((100 * x) / y) / 100,
      failed: sum([...a, ...b]),
    };
  };
  await table('beside the bare handler', async () => {
    const beside = [];
    for (const connections of [10, 50]) {
      const [list, order] = [() => `${url}/api/pedidos`, () => `${url}/api/pedidos/${one()}`];
      beside.push(await compare('20 newest orders, ours with the total', list, () => `${bare}/list`, connections));
      beside.push(await compare('one order', order, () => `${bare}/one?id=${one()}`, connections));
    }
    return beside;
  });

  await table('lists and figures under load', async () => {
    const rows = [];
    for (const { what, path } of requestsOf(ORDERS, sample)) {
      const row: Record<string, string | number> = { what };
      for (const connections of [10, 50]) {
        const { perSecond, p99, failed } = await drive(() => url + path(), { headers, ms: 1000, connections });
        Object.assign(row, { [`/s with ${connections}`]: Math.round(perSecond), [`p99 ms with ${connections}`]: round(p99), failed });
      }
      rows.push(row);
    }
    return rows;
  });
  // Must run before the writes, which leave the carrier without orders.
  await table('on a slow line', async () => {
    const rows: object[] = [];
    for await (const row of measureSlow(url, { carrier: CARRIER, reseller: RESELLER, pagar: await unpaidPage(url) })) rows.push(row);
    return rows;
  });
  await table('screens', () => measureScreens(url, ADMIN));
  await table('route of a day', () => measureRuta());
  await table('interactions', () => measureInp(url, PEOPLE));
  // Before the comparison: the bare handler keeps no books, and completed orders are set back to be taken again.
  await table('books after our writes', async () => {
    await measureWrites(url, undefined, DATABASE_URL, PEOPLE);
    return booksOf(DATABASE_URL, admin);
  });
  await table('writes', () => measureWrites(url, bare, DATABASE_URL, PEOPLE));
  await table('exports', () => measureExports(url, admin, ADMIN.password, headers));
  await part('a phone through ten faults', async () => {
    const { faults, opening } = await measureRoad();
    report('ten faults in front of a phone', faults);
    report('opening without a server', opening);
  });
  await table('import, own database', () => measureImport());
  await table('batch actions, own database', () => measureLote());
}

/** Returns the figures that do not balance after the writes, and the number of deadlocks. */
async function booksOf(url: string, admin: Parameters<typeof auditBooks>[1]) {
  const { db, close } = openPostgres(url, (error) => console.error(error), 1);
  const wrong = await auditBooks({ inspect: (work) => work(db) }, admin);
  await close();
  const [{ deadlocks } = { deadlocks: '' }] = await ask(url, 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');
  if (wrong.length) failures.push(`books: ${wrong.join('; ')}`);
  return [{ deadlocks, 'what does not balance': wrong.join('; ') || 'nothing' }];
}

async function ask(url: string, text: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, string>>(text);
  await client.end();
  return rows;
}

/** Measures one part; a failure is recorded, and the other parts continue. */
async function part(name: string, measure: () => Promise<void>): Promise<void> {
  try {
    await measure();
  } catch (error) {
    console.error(`✗ ${name}`, error);
    failures.push(`${name} (${error instanceof Error ? error.message : error})`);
  }
}
function table(name: string, measure: () => object[] | Promise<object[]>): Promise<void> {
  return part(name, async () => report(name, await measure()));
}

/** Prints a table and stores it for `JSON_FILE`. */
function report(name: string, rows: object[]): void {
  console.log(name);
  console.table(rows);
  reports[name] = rows;
}
function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
function sum(figures: Figure[]): number {
  return figures.reduce((total, figure) => total + figure.failed, 0);
}
function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
