import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../log/log.ts';
import { storeFile } from '../keep-file.ts';
import { lockFolder } from '../lock.ts';
import { findBinaries, type Owner, ownerFor } from './binaries.ts';
import { createCluster } from './cluster.ts';
import { ordinaryRole, withRole } from './role.ts';
import { type Listening, type ServerOptions, startServer } from './start-server.ts';
import { archivingSettings, closeSpool, openSpool } from './wal-spool.ts';

const CLUSTER = 'postgres';
/** Folder of PostgreSQL's own files. */
export const clusterFolder = (dataDir: string): string => join(dataDir, CLUSTER);

/** Small, to leave room on a shop's machine; durable, so that orders survive a power cut. */
const SETTINGS = {
  cluster_name: 'enruta',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: 30,
  shared_buffers: '48MB',
  // Containers may have a tiny /dev/shm.
  dynamic_shared_memory_type: 'mmap',
  io_method: 'sync',
  jit: 'off',
  // Saves WAL and processes, because there are no replicas. Archiving overrides `wal_level`.
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_logical_replication_workers: 0,
  max_wal_size: '256MB',
  min_wal_size: '64MB',
  // Set here, so that no entry of postgresql.auto.conf can run a command or load a library.
  ...{ restore_command: '', archive_cleanup_command: '', recovery_end_command: '', shared_preload_libraries: '' },
  ...{ session_preload_libraries: '', local_preload_libraries: '' },
  max_worker_processes: 4,
  autovacuum_worker_slots: 2,
  autovacuum_max_workers: 2,
};

const RETRY_MS = 2000;
/** Longest socket path in bytes that every system accepts, file name included. */
const MAX_SOCKET = 100;

type Started = { url: string; close: () => Promise<void> };
/** `archives`: keeps finished WAL segments for the bucket. `settings`: further settings of PostgreSQL. */
type Wanted = { archives?: boolean; settings?: ServerOptions['settings'] };

/** Starts the embedded PostgreSQL and restarts it if it ends. Throws a Spanish sentence if the folder is locked or older than 0.2. */
export async function startEmbedded(dataDir: string, log: Log, wanted: Wanted = {}): Promise<Started> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const folder = realpathSync(dataDir);
  refuseBefore02(folder);
  const unlock = await lockFolder(folder).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOSPC'
      ? new Error(`El disco de ${folder} está lleno: libera sitio y vuelve a arrancar.`, { cause: error })
      : error;
  });
  try {
    const { options, clear: forget } = await prepare(folder, log, wanted);
    const stop = await keepRunning(options);
    const url = await ordinaryRole(options.url).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    const close = async () => {
      await stop();
      forget();
      await unlock();
    };
    return { url, close };
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function prepare(folder: string, log: Log, { archives, settings }: Wanted): Promise<{ options: ServerOptions; clear: () => void }> {
  const cluster = clusterFolder(folder);
  const owner = ownerFor(folder);
  // Must run before PostgreSQL's user has files in the folder.
  if (owner) chmodSync(folder, 0o700);
  const binaries = findBinaries(owner, folder);
  const onPort = process.platform === 'win32';
  const password = onPort ? keptPassword(folder) : undefined;
  createCluster(cluster, { binaries, owner, password });
  const { listening, url, forget } = password ? await onLoopback(password) : onSocket(folder, owner);
  if (archives) openSpool(folder, owner);
  else closeSpool(folder);
  const all = { ...SETTINGS, ...(archives && archivingSettings(folder)), ...settings };
  return { options: { binaries, folder: cluster, listening, url, settings: all, log }, clear: forget };
}

type Address = { listening: Listening; url: string; forget: () => void };

/** Returns a socket in the data folder, closed to other users; in a temporary folder if the path is too long. */
function onSocket(folder: string, owner: Owner | undefined): Address {
  const near = nearSocket(folder);
  const sockets = near ?? mkdtempSync(join(tmpdir(), 'enruta-'));
  // An interrupted command of root left another user's folder. This user may rename the folder, but not delete its files.
  const found = statSync(sockets, { throwIfNoEntry: false });
  if (found && process.getuid && found.uid !== process.getuid() && !owner) renameSync(sockets, `${sockets}.${randomUUID()}`);
  mkdirSync(sockets, { recursive: true, mode: 0o700 });
  if (owner) chownSync(sockets, owner.uid, owner.gid);
  const clear = () => rmSync(sockets, { recursive: true, force: true });
  return { listening: { sockets }, url: `postgres://postgres@${encodeURIComponent(sockets)}/postgres`, forget: clear };
}

/** Folder of the socket within the data folder; undefined if the path is too long for a socket. */
const nearSocket = (folder: string): string | undefined => {
  const near = join(folder, 'socket');
  return Buffer.byteLength(join(near, '.s.PGSQL.5432')) <= MAX_SOCKET ? near : undefined;
};

/** Returns the address of the PostgreSQL that another process runs in the data folder; undefined if the socket does not exist. */
export function addressBeside(dataDir: string): string | undefined {
  const near = nearSocket(realpathSync(dataDir));
  return near && existsSync(near) ? withRole(`postgres://postgres@${encodeURIComponent(near)}/postgres`) : undefined;
}

/** Returns an address on a free local port, for systems whose sockets Node cannot open. */
export async function onLoopback(password: string): Promise<Address> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return { listening: { port }, url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, forget: () => {} };
}

const keptPassword = (folder: string): string => storeFile(join(folder, 'postgres.key'), () => randomBytes(24).toString('hex'));

async function keepRunning(options: ServerOptions): Promise<() => Promise<void>> {
  let stopped = false;
  let server = await startServer(options);
  const restart = async () => {
    try {
      server = await startServer(options);
      if (stopped) await server.stop();
    } catch (error) {
      options.log.error({ reason: (error as Error).message }, 'PostgreSQL does not start again');
      await wait(RETRY_MS);
    }
  };
  const watch = async () => {
    await server.ended;
    while (!stopped) {
      options.log.error('PostgreSQL has ended by itself; starting it again');
      await restart();
      await server.ended;
    }
  };
  const watching = watch();
  return async () => {
    stopped = true;
    await server.stop();
    await watching;
  };
}

const BEFORE_0_2 = 'pglite';

export const hasDatabase = (dataDir: string): boolean => [CLUSTER, BEFORE_0_2].some((name) => existsSync(join(dataDir, name)));

function refuseBefore02(folder: string): void {
  if (!existsSync(join(folder, BEFORE_0_2)) || existsSync(join(folder, CLUSTER))) return;
  throw new Error(
    `${folder} es de una versión de Enruta anterior a la 0.2, que guardaba los datos de otro modo. Haz una copia con aquella versión (Configuración → Base de datos, «Copias de seguridad»: «Hacer copia ahora»), descárgala y restáurala con esta en una DATA_DIR nueva (con la orden «restore ARCHIVO») y con la misma SECRET_KEY (${join(folder, 'secret.key')}).`,
  );
}
