import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { listPedidos } from '../contract/pedidos.ts';
import { connectAs } from '../e2e/api.ts';
import { freePort } from '../test/free-port.ts';
import { startPostgres } from '../test/postgres.ts';
import { measureScreens } from './browser.ts';
import { drive, type Figure } from './drive.ts';
import { measureExports } from './exports.ts';
import { measureImport } from './import.ts';
import { run, serve } from './process.ts';
import { measureSlow } from './slow.ts';
import { measureStarts } from './start.ts';
import { headersOf, measureWrites } from './writes.ts';

/*
 * `npm run bench [orders]`: with 100,000 demo orders on a real PostgreSQL, measures the program and a bare handler
 * in alternation over ten connections each, then how an export slows down other requests, the screens in a browser,
 * those of a carrier and a customer on a slow line, an import on the embedded database, and starts. The tables are also written to
 * `dist/bench.json`.
 */
const ORDERS = Number(process.argv[2] ?? 100_000);
const ROUNDS = 3;
const ADMIN = { email: 'admin@demo.enruta.es', password: 'aceite-de-oliva' };
const JSON_FILE = 'dist/bench.json';
const reports: Record<string, object[]> = {};
const CARRIER = { email: 'transportista@demo.enruta.es', password: 'camino-de-plata' };

// A quarter of 2 GB, as PostgreSQL's manual advises, and synchronous commits, so that a VACUUM right after sees them.
const postgres = await startPostgres({ shared_buffers: '512MB', synchronous_commit: 'on' });
const stops: (() => Promise<void>)[] = [postgres.stop];
try {
  console.log(`Filling ${ORDERS} orders…`);
  const database = { DATABASE_URL: postgres.url, SECRET_KEY: 'only for the bench: thirty-two characters' };
  await run('bench/fill.ts', [String(ORDERS)], database);

  const [port, barePort] = [await freePort(), await freePort()];
  const [url, bare] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${barePort}`];
  stops.unshift((await serve('server/main.ts', { ...database, PORT: String(port), LOG_LEVEL: 'error' }, `${url}/readyz`)).stop);
  stops.unshift((await serve('bench/bare.ts', { DATABASE_URL: postgres.url, PORT: String(barePort) }, `${bare}/list`)).stop);

  const admin = await connectAs(url, ADMIN);
  const headers = headersOf(admin);
  const sample = (await admin.call(listPedidos, { query: { per_page: 100 } })).body.data;
  const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
  const one = () => any(sample).id;
  const phones = sample.flatMap((p) => ('cliente_telefono' in p && p.cliente_telefono ? [p.cliente_telefono] : []));
  const reseller = sample.flatMap((p) => ('revendedor_id' in p && p.revendedor_id ? [p.revendedor_id] : []))[0];
  const words = [...new Set(sample.flatMap((p) => p.cliente_nombre.split(' ')).filter((w) => w.length > 3))];

  // In alternation, so that a slow moment of the machine affects both.
  const compare = async (name: string, ours: () => string, theirs: () => string) => {
    const [a, b]: [Figure[], Figure[]] = [[], []];
    await drive(ours, { headers, ms: 1500 });
    await drive(theirs, { ms: 1500 });
    for (let round = 0; round < ROUNDS; round += 1) {
      a.push(await drive(ours, { headers }));
      b.push(await drive(theirs, {}));
    }
    const [x, y] = [median(a.map((f) => f.perSecond)), median(b.map((f) => f.perSecond))];
    return {
      what: name,
      'ours /s': Math.round(x),
      'bare /s': Math.round(y),
      ratio: `${Math.round((100 * x) / y)} %`,
      failed: sum([...a, ...b]),
    };
  };
  report('beside the bare handler', [
    await compare(
      '20 newest orders, ours with the total',
      () => `${url}/api/pedidos`,
      () => `${bare}/list`,
    ),
    await compare(
      'one order',
      () => `${url}/api/pedidos/${one()}`,
      () => `${bare}/one?id=${one()}`,
    ),
  ]);

  const requests: [string, () => string][] = [
    ['search by number', () => `?search=${any(sample).numero_orden}`],
    ['search by phone', () => `?search=${encodeURIComponent(any(phones))}`],
    ['search by one word of a name', () => `?search=${encodeURIComponent(any(words))}`],
    ['search by name and surname', () => `?search=${encodeURIComponent(any(sample).cliente_nombre)}`],
    ['search by a word of half the orders', () => '?search=calle'],
    ['the same, sorted by customer', () => '?search=calle&sort=cliente_nombre'],
    ['search by a year', () => '?search=2026'],
    ['search by two letters', () => '?search=ma'],
    ['search by two letters that nobody has', () => '?search=zz'],
    ['search by one letter', () => '?search=a'],
    ['two letters among the completed', () => '?search=ma&estado=completado'],
    ['two letters of one reseller', () => `?search=ma&revendedor_id=${reseller}`],
    ['estado', () => '?estado=pendiente'],
    ['three estados, sorted by total', () => '?estado=asignado,en_ruta,completado&sort=precio_total'],
    ['a month', () => `?fecha_desde=${monthAgo()}&fecha_hasta=${new Date().toISOString().slice(0, 10)}`],
    ['without a carrier', () => '?transportista_id=sin'],
    ['one reseller without a carrier', () => `?revendedor_id=${reseller}&transportista_id=sin`],
    ['company', () => '?empresa_transporte=mrw'],
    ['sorted by customer', () => '?sort=cliente_nombre&dir=asc'],
    ['page 50', () => '?page=50'],
    ['the page in the middle', () => `?page=${Math.floor(ORDERS / 40)}`],
    ['last page', () => `?page=${Math.floor(ORDERS / 20)}`],
    ['the page in the middle, by customer', () => `?page=${Math.floor(ORDERS / 40)}&sort=cliente_nombre`],
    ['the page in the middle of the completed', () => `?page=${Math.floor(ORDERS / 50)}&estado=completado`],
    ['late', () => '?atrasado=si'],
  ];
  const rows = [];
  for (const [what, query] of requests) {
    const busy = await drive(() => `${url}/api/pedidos${query()}`, { headers, ms: 2000 });
    const alone = await drive(() => `${url}/api/pedidos${query()}`, { headers, ms: 1000, connections: 1 });
    rows.push({
      what,
      '/s with 10': Math.round(busy.perSecond),
      'p99 ms with 10': round(busy.p99),
      'p50 ms alone': round(alone.p50),
      'max ms alone': round(alone.max),
      failed: busy.failed + alone.failed,
    });
  }
  for (const path of [
    '/api/stats/admin',
    '/api/stats/serie?from=2025-12-01&to=2026-11-20',
    '/api/stats/atencion',
    '/api/stats/transportistas?periodo=30d',
    '/api/logs',
    '/api/products',
  ]) {
    const alone = await drive(() => url + path, { headers, ms: 1000, connections: 1 });
    rows.push({
      what: path,
      '/s with 10': '',
      'p99 ms with 10': '',
      'p50 ms alone': round(alone.p50),
      'max ms alone': round(alone.max),
      failed: alone.failed,
    });
  }
  report('lists and figures', rows);
  const unpaid = (await admin.call(listPedidos, { query: { estado: 'pendiente_pago', per_page: 1 } })).body.data[0];
  const pagar = unpaid && 'payment_link' in unpaid ? new URL(unpaid.payment_link ?? '', url).pathname : '/pagar/x';
  // Before the writes, which leave the carrier nothing to take or to bring.
  report('on a slow line', await measureSlow(url, { carrier: CARRIER, pagar }));
  report('screens', await measureScreens(url, ADMIN));
  report('writes', await measureWrites(url, bare, postgres.url, { admin: ADMIN, carrier: CARRIER }));
  report('exports', await measureExports(url, admin, headers));
  report('import, embedded', await measureImport());
  report('starts', await measureStarts(database, ORDERS));
  mkdirSync(dirname(JSON_FILE), { recursive: true });
  writeFileSync(JSON_FILE, JSON.stringify({ orders: ORDERS, at: new Date().toISOString(), ...reports }, null, 2));
  console.log(`Written to ${JSON_FILE}`);
} finally {
  for (const stop of stops) await stop();
}

/** Shows a table, and keeps it for the file. */
function report(name: string, rows: object[]): void {
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
function monthAgo(): string {
  return new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
}
