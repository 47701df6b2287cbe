import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { listFailures } from '../contract/failures/failures.ts';
import { ROLES } from '../contract/policy/policy.ts';
import { login } from '../contract/session/session.ts';
import { asAdmin } from '../server/db/embedded/role.ts';
import { type Db, migrateDatabase, openDatabase, pendingMigrations } from '../server/db/open.ts';
import { createLog } from '../server/log/log.ts';
import { childEnv } from './child-env.ts';
import { type Client, createClient } from './client.ts';
import { endpoints } from './endpoints.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/*
 * Data folders of released versions, each made by its own release with `test/old-shop/make.ts`: since 0.3.0 with one of everything that a shop may
 * hold. A release adds its folder when the next one begins.
 */
const FOLDERS = join(import.meta.dirname, 'folders');
const versions = readdirSync(FOLDERS).map((file) => file.replace('.tar.br', ''));
const [oldest = '', newest = oldest] = [versions.toSorted()[0], versions.toSorted().at(-1)];

const made: string[] = [];
const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function unpack(version: string, user?: string): string {
  const root = mkdtempSync(join(tmpdir(), 'enruta-upgrade-'));
  made.push(root);
  execFileSync('tar', ['x', '--no-same-owner', '-C', root], {
    input: brotliDecompressSync(readFileSync(join(FOLDERS, `${version}.tar.br`))),
  });
  const dataDir = join(root, version);
  if (user) execFileSync('chown', ['-R', user, root]);
  return dataDir;
}

it('every released version since 0.2 has a data folder here', () => {
  const { version: own } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const released = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\d+\.\d+\.\d+)\n\n\d{4}-\d{2}-\d{2}/gm)].map(
    ([, version]) => version ?? '',
  );
  // A folder of 0.1 is refused: that version's data comes by a backup. The running version makes its folder when the next one begins.
  expect(versions.toSorted()).toEqual(
    released.filter((version) => version !== '0.1.0' && (version !== own || version === '0.2.0')).toSorted(),
  );
});

/** Tables without a row, and columns without a value, of a database. */
async function emptyOf(db: Db) {
  const tables: string[] = [];
  const columns: { table: string; column: string }[] = [];
  for (const [table, names] of Object.entries(await columnsOf(db))) {
    const counts = names.map((name, at) => sql`count(${sql.ref(name)})::int AS ${sql.id(`n${at}`)}`);
    const { rows } = await sql<Record<string, number>>`SELECT count(*)::int AS all, ${sql.join(counts)} FROM ${sql.table(table)}`.execute(
      db,
    );
    if (!rows[0]?.all) tables.push(table);
    columns.push(...names.filter((_, at) => !rows[0]?.[`n${at}`]).map((column) => ({ table, column })));
  }
  return { tables, columns };
}

it('the folder of the version before has a row for whatever a new migration touches', async () => {
  const { db, close } = await openDatabase({ databaseUrl: undefined, dataDir: unpack(newest) }, createLog('error', process.stderr));
  try {
    const { tables, columns } = await emptyOf(db);
    expect(tables, 'test/old-shop fills every table').toEqual([]);
    const pending = (await pendingMigrations(db)).map((name) => ({ name, text: readFileSync(`server/db/migrations/${name}.ts`, 'utf8') }));
    const says = (text: string, word: string) => new RegExp(`\\b${word}\\b`).test(text);
    const untried = pending.flatMap(({ name, text }) =>
      columns
        .filter(({ table, column }) => says(text, table) && says(text, column))
        .map(({ table, column }) => `${name}: ${table}.${column}`),
    );
    expect(untried, 'test/old-shop gives these a value; its make.ts, run in the version before, makes the folder again').toEqual([]);
  } finally {
    await close();
  }
});

/** Tables that migrations or every start rewrite: search text, marks of the feed of changes, folded totals, the log of migrations. Migration 085 rewrites `clave`. */
const REWRITTEN = /^(kysely_migration|kysely_migration_lock|cambios.*|pedidos_busqueda|pedidos_totales_.*|jobs.*)$/;

/** Columns that migration 170 writes anew for strangers who were one customer under a made-up telephone; each is then a row more. */
const PARTED = ['clave', 'nombre', 'telefono', 'codigo_postal', 'ciudad', 'busqueda', 'pedidos', 'total_cents', 'ultimo_pedido'];
const WITH_NEW_ROWS = ['clientes', 'audit_logs'];

/**
 * Columns that a later version computes anew (por_reembolsar_cents), names otherwise (por_reembolsar_at), or writes in another form: what waits
 * of web orders, shops' money, keys and products (migration 160).
 */
const GONE = [
  ...['pedidos.cliente_id', ...PARTED.map((name) => `clientes.${name}`)],
  ...['pedidos.sin_entregar_cents', 'pedidos.sobra_at', 'settings.data', 'tienda_mensajes.tema', 'tienda_productos.tienda_id'],
  ...['contenido', 'correcciones', 'marcas', 'pagado_cents', 'devuelto_cents', 'tienda_id'].map((name) => `tienda_pedidos.${name}`),
  ...['url', 'clave', 'clave_secreta', 'estado'].map((name) => `tiendas.${name}`),
];

type Columns = Record<string, string[]>;
async function columnsOf(db: Db): Promise<Columns> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    SELECT table_name AS table, array_agg(column_name::text ORDER BY ordinal_position) AS columns
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER' AND column_name NOT IN ('busqueda', 'clave') GROUP BY 1`.execute(
    db,
  );
  return Object.fromEntries(rows.map(({ table, columns }) => [table, columns]));
}

/** Number and checksum of the rows of each table, over `columns`. */
async function sumsOf(db: Db, columns: Columns, before: string) {
  const sums: Record<string, string> = {};
  for (const [table, names] of Object.entries(columns)) {
    if (REWRITTEN.test(table)) continue;
    const { rows } = await sql<{ sum: string }>`
      SELECT count(*) || ' ' || coalesce(md5(string_agg(row, '' ORDER BY row)), '') AS sum
      FROM (SELECT (${sql.join(names.map((name) => sql.ref(name)))})::text AS row FROM ${sql.table(table)}
        WHERE ${WITH_NEW_ROWS.includes(table) ? sql`created_at < ${before}` : sql`true`}) AS rows`.execute(db);
    sums[table] = rows[0]?.sum ?? '';
  }
  return sums;
}

/** Starts the program on `dataDir`, on a port of its own, and resolves when it listens. */
async function start(dataDir: string, user?: string, taken?: number) {
  const port = taken ?? (await freePort());
  const as = user ? ['setpriv', `--reuid=${user}`, '--clear-groups', '--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'] : [];
  const [command = '', ...args] = [...as, process.execPath, 'server/main.ts', '--dev'];
  const child = spawn(command, args, { env: { ...childEnv(), DATA_DIR: dataDir, PORT: String(port) } });
  running.add(child);
  const exit = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  await until(
    () => output.includes('Enruta escucha') || child.exitCode !== null,
    () => output,
  );
  const url = `http://127.0.0.1:${port}`;
  const client = () =>
    createClient(async ({ method, path, headers, body }) => {
      const reply = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) });
      return {
        status: reply.status,
        headers: { 'content-type': reply.headers.get('content-type') ?? '', 'set-cookie': reply.headers.getSetCookie() },
        text: await reply.text(),
      };
    });
  const stop = async () => {
    child.kill('SIGTERM');
    await exit;
    running.delete(child);
    return child.exitCode;
  };
  return { client, stop, output: () => output };
}

const PEOPLE = {
  superadmin: { email: 'admin@demo.enruta.es', password: 'aceite-de-oliva' },
  revendedor: { email: 'revendedor@demo.enruta.es', password: 'miel-de-encina' },
  transportista: { email: 'transportista@demo.enruta.es', password: 'camino-de-plata' },
};

/** Endpoints that answer without parameters, as screens ask them; a stream never ends. */
const READS = endpoints
  .map(({ endpoint }) => endpoint)
  .filter(({ method, path }) => method === 'GET' && !path.includes(':') && path !== '/api/live');

/** Paths that the server fails to answer. */
async function unanswered(client: Client) {
  const failed: string[] = [];
  for (const { path } of READS) {
    const { status } = await client.request('GET', path);
    if (status >= 500) failed.push(`${status} ${path}`);
  }
  return failed;
}

async function asSuperuser(address: string, text: string): Promise<{ name: string }[]> {
  const client = new pg.Client(asAdmin(address));
  await client.connect();
  try {
    return (await client.query<{ name: string }>(text)).rows;
  } finally {
    await client.end();
  }
}

const foreignTables = (url: string) =>
  asSuperuser(
    url,
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace::regnamespace::text IN ('public', 'jobs') AND relowner <> 'enruta'::regrole`,
  );

/** Kinds of jobs of which no run has been completed. */
const jobsWaiting = (dataDir: string) =>
  asSuperuser(
    `postgres://postgres@${encodeURIComponent(join(dataDir, 'socket'))}/postgres`,
    `SELECT name FROM jobs.job WHERE name NOT LIKE '\\_\\_%' GROUP BY name HAVING NOT bool_or(state = 'completed')`,
  );

const isRoot = process.getuid?.() === 0;
const USERS: [name: string, user: string | undefined][] = isRoot
  ? [
      ['root', undefined],
      ['a service user', 'nobody'],
    ]
  : [['this user', undefined]];

describe.each(versions)('a data folder of %s', (version) => {
  it('keeps every row when it is migrated, and leaves nothing to the superuser', async () => {
    const dataDir = unpack(version);
    const opened = () => openDatabase({ databaseUrl: undefined, dataDir }, createLog('error', process.stderr));
    const { db, url, close } = await opened();
    try {
      const old = Object.entries(await columnsOf(db));
      const kept = Object.fromEntries(old.map(([table, names]) => [table, names.filter((name) => !GONE.includes(`${table}.${name}`))]));
      const before = new Date().toISOString();
      const sums = await sumsOf(db, kept, before);
      await migrateDatabase(db);
      const now = await columnsOf(db);
      const gone = old.flatMap(([table, names]) => names.filter((name) => !now[table]?.includes(name)).map((name) => `${table}.${name}`));
      expect(gone.toSorted()).toEqual(GONE.filter((name) => gone.includes(name)).toSorted());
      expect(await sumsOf(db, kept, before)).toEqual(sums);
      expect(Number(sums.pedidos?.split(' ')[0])).toBeGreaterThan(100);
      expect(await foreignTables(url)).toEqual([]);
      // As a version left them that handed over some tables only.
      await asSuperuser(url, 'ALTER TABLE jobs.job_common OWNER TO postgres; ALTER TABLE jobs.queue_stats OWNER TO postgres');
    } finally {
      await close();
    }
    const again = await opened();
    try {
      expect(await foreignTables(again.url)).toEqual([]);
    } finally {
      await again.close();
    }
  });

  // An older folder is started as the user whose rights are the smaller.
  it.each(version === newest ? USERS : USERS.slice(-1))('serves its screens and runs its queued jobs, started as %s', async (_, user) => {
    const dataDir = unpack(version, user);
    const program = await start(dataDir, user);
    for (const role of ROLES) {
      const client = program.client();
      expect((await client.call(login, { body: PEOPLE[role] })).status, program.output()).toBe(200);
      expect(await unanswered(client)).toEqual([]);
    }
    await until(
      async () => (await jobsWaiting(dataDir)).length === 0,
      () => program.output(),
      60,
    );
    const admin = program.client();
    await admin.call(login, { body: PEOPLE.superadmin });
    expect((await admin.call(listFailures)).body.data).toEqual([]);
    expect(await program.stop(), program.output()).toBe(0);
    const again = await start(dataDir, user);
    expect(await again.stop(), again.output()).toBe(0);
  });
});

it('names the way back when the program does not start once it is migrated', async () => {
  const dataDir = unpack(oldest);
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const program = await start(dataDir, undefined, port);
  taken.close();
  expect(program.output()).toMatch(/la versión anterior no los abre.*«backup».*«restore»/);
  // The next start migrates nothing, so nothing is said.
  expect(await (await start(dataDir)).stop()).toBe(0);
});
