import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyFolder } from '../../../test/copy-folder.ts';
import { migratedFolder, openFolder } from '../../../test/data-folder.ts';
import { until } from '../../../test/until.ts';
import { createLog } from '../../log/log.ts';
import { findBinaries, ownerFor } from './binaries.ts';
import { createCluster } from './cluster.ts';
import { onLoopback } from './embedded.ts';
import { startServer } from './start-server.ts';

/* Start, end and crashes of the embedded PostgreSQL. */

let root: string;
let dataDir: string;
const running = new Set<ChildProcess>();
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'enruta-own-'));
  dataDir = join(root, 'data');
  await migratedFolder(dataDir);
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
  await until(
    () => processesOf(dataDir).length === 0,
    () => `still running: ${processesOf(dataDir).join(', ')}`,
    30,
  );
  rmSync(root, { recursive: true, force: true });
});

const OPEN = `
  const { openFolder } = await import('./test/data-folder.ts');
  try {
    await openFolder(process.argv[1]);
    console.log('ready');
    setInterval(() => {}, 1000);
  } catch (error) {
    console.log(error.message);
    process.exit(1);
  }`;

/** Starts a process that opens the database of `dataDir`. Resolves once the process is ready or has failed. */
async function open(wrapper: string[] = []) {
  const child = launch(wrapper);
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  await until(
    () => output !== '' || child.exitCode !== null,
    () => 'silent',
    60,
  );
  return { child, output: () => output };
}
function launch(wrapper: string[] = []): ChildProcess {
  const [command = '', ...args] = [...wrapper, process.execPath, '--eval', OPEN, dataDir];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  return child;
}

const parentOf = (pid: number) => Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8');
/** PostgreSQL processes of a data folder. */
const postgresOf = (folder: string) => processesOf(folder).filter((pid) => commandOf(pid).includes('/bin/postgres'));

function processesOf(folder: string): number[] {
  const isThere = (pid: string) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === join(folder, 'postgres');
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isThere(name))
    .map(Number);
}
const postmaster = () => Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
const supervisor = () => parentOf(postmaster());
const readers = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return pid !== supervisor() && parentOf(pid) === supervisor() && commandOf(pid).startsWith('sh\0');
      } catch {
        return false;
      }
    });

/** Queries a database that another process has open. */
async function ask<T extends object>(text: string): Promise<T[]> {
  const client = new pg.Client({ host: join(dataDir, 'socket'), user: 'postgres', database: 'postgres' });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}
const answers = () =>
  ask('SELECT 1').then(
    () => true,
    () => false,
  );
const INSERT = "INSERT INTO products (name) VALUES ('Aceite')";
const count = async () => (await ask<{ n: string }>('SELECT count(*) AS n FROM products'))[0]?.n;

describe('the end of the embedded PostgreSQL', () => {
  it('PostgreSQL ends when the program stops', async () => {
    const { close } = await openFolder(dataDir);
    expect(processesOf(dataDir)).not.toEqual([]);
    await close();
    await expect.poll(() => processesOf(dataDir)).toEqual([]);
    expect(readdirSync(dataDir).sort()).toEqual(['postgres']);
  });

  it('PostgreSQL ends when the program is killed, and the next start finds all committed data', async () => {
    const first = await open();
    await ask(INSERT);
    first.child.kill('SIGKILL');
    const second = await open();
    expect(second.output()).toBe('ready\n');
    expect(await count()).toBe('1');
  });

  it.each(['enruta.lock', 'postgres/postmaster.pid', 'socket/.s.PGSQL.5432'])(
    'PostgreSQL ends when the program ends during a start that has reached %s',
    async (file) => {
      const child = launch();
      await until(
        () => existsSync(join(dataDir, file)),
        () => 'not reached',
        30,
      );
      child.kill('SIGTERM');
      await until(
        () => child.signalCode !== null && processesOf(dataDir).length === 0,
        () => 'still runs',
        30,
      );
      expect((await open()).output()).toBe('ready\n');
    },
  );
});

describe('the restart of the embedded PostgreSQL', () => {
  const killed = {
    'the postmaster': postmaster,
    'the supervisor': supervisor,
    'a backend': async () => {
      const client = new pg.Client({ host: join(dataDir, 'socket'), user: 'postgres', database: 'postgres' });
      client.on('error', () => {});
      await client.connect();
      return Number((await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid);
    },
  };
  it.each(Object.entries(killed))('PostgreSQL restarts with all committed data after kill -9 of %s', async (_, find) => {
    const { output } = await open();
    await ask(INSERT);
    const victim = await find();
    process.kill(victim, 'SIGKILL');
    await until(
      async () => !existsSync(`/proc/${victim}`) && (await answers()),
      () => output(),
      30,
    );
    expect(await count()).toBe('1');
    await ask(INSERT);
    // Only one server runs.
    // Polled, because a child that PostgreSQL has just forked bears the postmaster's name for an instant.
    await expect.poll(() => postgresOf(dataDir)).toEqual([postmaster()]);
  });
});

describe('one PostgreSQL per folder', () => {
  it('a start first ends an orphaned PostgreSQL, whose program and supervisors were killed', async () => {
    const first = await open();
    await ask(INSERT);
    const orphan = postmaster();
    const killers = [...readers(), supervisor()];
    expect(killers).toHaveLength(2);
    for (const pid of [first.child.pid ?? 0, ...killers]) process.kill(pid, 'SIGKILL');
    expect(processesOf(dataDir)).toContain(orphan);
    const second = await open();
    expect(second.output()).toBe('ready\n');
    expect(processesOf(dataDir)).not.toContain(orphan);
    expect(await count()).toBe('1');
  });

  it('a process with the pid of the old server does not block a start', async () => {
    const first = await open();
    const files = ['postgres/postmaster.pid', 'socket/.s.PGSQL.5432.lock'];
    const kept = files.map((file) => readFileSync(join(dataDir, file), 'utf8'));
    first.child.kill('SIGKILL');
    await until(
      () => processesOf(dataDir).length === 0,
      () => 'still runs',
      30,
    );
    // Runs as PostgreSQL's user, because PostgreSQL ignores the pids of other users.
    const stranger = spawn('sleep', ['60'], ownerFor(dataDir) ?? {});
    running.add(stranger);
    for (const [i, file] of files.entries()) writeFileSync(join(dataDir, file), kept[i]?.replace(/^\d+/, String(stranger.pid)) ?? '');
    expect((await open()).output()).toBe('ready\n');
  });

  it('a start fails with a Spanish sentence while another PostgreSQL uses the folder', async () => {
    const folder = join(dataDir, 'postgres');
    // Simulates a PostgreSQL in another container, whose processes are not visible here.
    const holder = spawn('flock', [folder, 'sleep', '60']);
    running.add(holder);
    await until(
      () => spawnSync('flock', ['--nonblock', folder, 'true']).status === 1,
      () => 'no lock',
      30,
    );
    await expect(startServer({ ...(await serverOptions(folder)), patience: 1 })).rejects.toThrow(/la sigue usando otro PostgreSQL/);
    execFileSync('pkill', ['-KILL', '-P', String(holder.pid)]);
  });

  it('a start waits for a long recovery and logs a warning', async () => {
    const folder = join(dataDir, 'postgres');
    const options = await serverOptions(folder);
    const lines: string[] = [];
    const log = createLog('warn', { write: (line) => void lines.push(line) });
    const slow = ['sh', '-c', 'sleep 6; exec "$@"', 'slow', ...options.binaries.postgres];
    const server = await startServer({ ...options, log, binaries: { ...options.binaries, postgres: slow } });
    expect(lines.join()).toContain('se está recuperando');
    await expect.poll(() => postgresOf(dataDir)).toHaveLength(1);
    await server.stop();
  });
});

async function serverOptions(folder: string) {
  const { listening, url } = await onLoopback('x');
  const binaries = findBinaries(ownerFor(dataDir), dataDir);
  return { binaries, folder, listening, url, settings: {}, log: createLog('error', process.stderr) };
}

describe('the address of the embedded PostgreSQL', () => {
  it('PostgreSQL is durable, and listens only on a socket in a folder closed to other users', async () => {
    await open();
    expect(statSync(join(dataDir, 'socket')).mode & 0o777).toBe(0o700);
    expect(await ask('SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(
      await ask("SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY 1"),
    ).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'synchronous_commit', setting: 'on' },
    ]);
  });

  it('PostgreSQL can be reached even if the path of its folder is unusual or too long for a socket', async () => {
    const far = join(root, 'una carpeta, con «cosas»', 'a'.repeat(90));
    mkdirSync(far, { recursive: true });
    copyFolder(dataDir, far);
    const { db, url, close } = await openFolder(far);
    expect(decodeURIComponent(new URL(url).hostname)).toMatch(new RegExp(`^${tmpdir()}/enruta-`));
    expect(await db.selectFrom('settings').select('id').execute()).toHaveLength(1);
    await close();
    expect(existsSync(decodeURIComponent(new URL(url).hostname))).toBe(false);
  });

  it('PostgreSQL listens on a local port with a password where sockets are not available', async () => {
    const folder = join(root, 'cluster');
    const owner = ownerFor(root);
    const binaries = findBinaries(owner, root);
    createCluster(folder, { binaries, owner, password: 'secreta', flags: ['--no-sync'] });
    const { listening, url } = await onLoopback('secreta');
    const server = await startServer({ binaries, folder, listening, url, settings: {}, log: createLog('error', process.stderr) });
    const other = new pg.Client(url.replace('secreta', 'otra'));
    await expect(other.connect()).rejects.toThrow(/password authentication failed/);
    await server.stop();
  });
});

describe('the role of the program', () => {
  it('the program’s role can neither read files of the machine nor run commands', async () => {
    const { url, close } = await openFolder(dataDir);
    const client = new pg.Client(url);
    await client.connect();
    expect((await client.query('SELECT current_user AS name, rolsuper FROM pg_roles WHERE rolname = current_user')).rows).toEqual([
      { name: 'enruta', rolsuper: false },
    ]);
    await expect(client.query("SELECT pg_read_file('/etc/passwd')")).rejects.toThrow(/permission denied/);
    await expect(client.query("COPY products FROM PROGRAM 'id'")).rejects.toThrow(/permission denied/);
    await client.end();
    await close();
  });

  it('the program’s role takes over everything that the superuser of an earlier version created', async () => {
    await open();
    await ask('REASSIGN OWNED BY enruta TO postgres; DROP OWNED BY enruta; DROP ROLE enruta');
    for (const child of running) child.kill('SIGKILL');
    await until(
      () => processesOf(dataDir).length === 0,
      () => 'still runs',
      30,
    );
    const { db, close } = await openFolder(dataDir);
    const { rows } = await sql<{ name: string }>`
      SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND relowner <> 'enruta'::regrole`.execute(db);
    expect(rows).toEqual([]);
    await db.schema.alterTable('products').addColumn('tried', 'text').execute();
    await sql`CREATE OR REPLACE FUNCTION rehacer_cambios() RETURNS void LANGUAGE sql AS ''`.execute(db);
    await close();
  });
});

describe('a start that is refused', () => {
  it('a folder older than 0.2 is refused with instructions to migrate', async () => {
    const old = join(root, 'old');
    mkdirSync(join(old, 'pglite'), { recursive: true });
    await expect(openFolder(old)).rejects.toThrow(/anterior a la 0\.2.*«Hacer copia ahora».*orden «restore ARCHIVO»/);
    expect(readdirSync(old)).toEqual(['pglite']);
  });

  it('files of another PostgreSQL version are refused', async () => {
    writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '17\n');
    await expect(openFolder(dataDir)).rejects.toThrow(/son de PostgreSQL 17 y este Enruta trae el 18/);
  });

  it('binaries that do not run here are refused with the advice to set DATABASE_URL', () => {
    expect(() => findBinaries(undefined, root, join(root, 'nowhere'))).toThrow(/indica el tuyo en DATABASE_URL/);
  });
});

it('a killed first start leaves nothing incomplete', async () => {
  const DATA_DIR = join(root, 'new');
  const files = () => (existsSync(DATA_DIR) ? readdirSync(DATA_DIR, { recursive: true }).map(String) : []);
  for (const file of [/^postgres\.tmp-\w+$/, /PG_VERSION$/, /pg_wal\/\d{24}$/]) {
    const child = spawn(process.execPath, ['--eval', OPEN, DATA_DIR]);
    await until(
      () => files().some((name) => file.test(name)),
      () => 'not reached',
      30,
    );
    child.kill('SIGKILL');
    await until(
      () => child.signalCode !== null,
      () => 'still runs',
      30,
    );
  }
  const { db, close } = await openFolder(DATA_DIR);
  await db.selectNoFrom((eb) => eb.lit(1).as('one')).execute();
  await close();
  expect(readdirSync(DATA_DIR)).toContain('postgres');
});

it('PostgreSQL’s log goes into the program’s log by level, without row values', async () => {
  const lines: { level: number; msg: string }[] = [];
  const { startEmbedded } = await import('./embedded.ts');
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const { close } = await startEmbedded(dataDir, log);
  await ask("DO $$ BEGIN RAISE WARNING 'cuidado'; END $$");
  await expect(ask("SELECT 'Marta'::int")).rejects.toThrow();
  await close();
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 30, postgres: 'postmaster', msg: 'database system is ready to accept connections' }),
  );
  expect(lines).toContainEqual(expect.objectContaining({ level: 40, postgres: 'client backend', msg: 'cuidado' }));
  expect(lines.filter(({ msg }) => /Marta/.test(msg))).toEqual([]);
});

const isRoot = process.getuid?.() === 0;
describe.runIf(isRoot)('PostgreSQL as root', () => {
  it('PostgreSQL runs as another user in a folder closed to others, without gaining privileges', async () => {
    execFileSync('chmod', ['700', root]);
    await open();
    const status = readFileSync(`/proc/${postmaster()}/status`, 'utf8');
    expect(status).not.toMatch(/^Uid:\s+0\s/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    // Only CAP_DAC_READ_SEARCH (bit 2), to pass root's folders.
    expect(status).toMatch(/^CapEff:\s+0000000000000004$/m);
    const user = /^Uid:\s+(\d+)/m.exec(status)?.[1] ?? '';
    expect(spawnSync('id', [user]).status, 'a user of nobody else').not.toBe(0);
  });

  it('PostgreSQL’s files belong to the owner of their folder', async () => {
    const theirs = join(root, 'theirs');
    mkdirSync(theirs);
    execFileSync('chown', ['nobody', theirs]);
    const { close } = await openFolder(theirs);
    await close();
    expect(statSync(join(theirs, 'postgres')).uid).toBe(statSync(theirs).uid);
  });
});
