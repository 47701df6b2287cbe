import { randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { parseLock } from './beat.ts';

/** Content of the lock. `boot`, `ns` and `host` tell where `pid` is valid; `ino` reveals a copied file. */
type Owner = { id: string; boot: string; ns: string; host: string; pid: number; start: string; ino: number };

/** Another process holds the data folder. */
export class FolderInUse extends Error {}

/** Milliseconds. `whole`: six heartbeats, after which a silent owner counts as dead if its process cannot be checked. `look`: polling interval. */
const WATCH = { whole: 6000, look: 250 };

/** Locks the real data folder; returns the unlock. Throws a Spanish sentence if held. A silent owner is dead after six seconds. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(realpathSync(folder), 'enruta.lock');
  const id = randomUUID();
  const draft = `${path}.${id}`;
  const fd = openSync(draft, 'wx', 0o600);
  try {
    const mine: Owner = { id, ...here(), pid: process.pid, start: processOf(process.pid)?.start ?? '-', ino: fstatSync(fd).ino };
    const offset = writeSync(fd, `${JSON.stringify(mine)}\n`);
    writeSync(fd, '0'.padStart(12));
    await acquire(path, draft, folder);
    const worker = new Worker(new URL('./beat.worker.ts', import.meta.url), { workerData: { path, folder, fd, offset, id } });
    worker.once('message', () => process.exit(1));
    worker.unref();
    return async () => {
      await worker.terminate();
      closeSync(fd);
      if (ownerOf(read(path))?.id === id) rmSync(path, { force: true });
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

async function acquire(path: string, draft: string, folder: string): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    // link() fails if the name exists: the only atomic way to create a file with its content.
    if (tried(() => linkSync(draft, path), 'EEXIST')) return;
    const found = read(path);
    const owner = ownerOf(found);
    if (!owner && (await isUnreadableAndBeats(path)))
      throw new FolderInUse(
        `La carpeta de datos ${folder} ya la usa otro proceso de Enruta, de otro usuario. Ciérralo antes o usa otra DATA_DIR.`,
      );
    if (owner && (await isHeld(path, found, owner)))
      throw new FolderInUse(
        `La carpeta de datos ${folder} ya la usa otro proceso de Enruta (pid ${owner.pid} de ${owner.host}). Ciérralo antes o usa otra DATA_DIR.`,
      );
    // Renames before removing. If another process has taken over meanwhile, its lock is put back.
    const stale = `${draft}.stale`;
    if (!tried(() => renameSync(path, stale), 'ENOENT')) continue;
    if (ownerOf(read(stale))?.id !== owner?.id) tried(() => linkSync(stale, path), 'EEXIST');
    rmSync(stale, { force: true });
  }
  throw new Error(`No se pudo bloquear la carpeta de datos ${folder}.`);
}

/** True if the owner lives: checks its process if visible from here, else its heartbeat. */
async function isHeld(path: string, found: string, owner: Owner): Promise<boolean> {
  const { boot, ns, host } = here();
  const isHere = owner.boot === boot && owner.ns === ns && owner.host === host;
  // Needs the start time (Linux only), because pids are reused, and the original file, because the lock in a copied folder is stale.
  if (isHere && owner.start !== '-' && owner.ino === inodeOf(path)) return processOf(owner.pid)?.start === owner.start;
  // Compares two reads, since the clocks of two machines may differ.
  for (let waited = 0; waited < WATCH.whole; waited += WATCH.look) {
    await wait(WATCH.look);
    const now = read(path);
    if (now !== found) return now !== '';
  }
  return false;
}

/** True if another user's lock, which this process may not read, still has a heartbeat. */
async function isUnreadableAndBeats(path: string): Promise<boolean> {
  try {
    accessSync(path, constants.R_OK);
    return false;
  } catch {
    const beat = () => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    const since = beat();
    for (let waited = 0; since !== undefined && waited < WATCH.whole; waited += WATCH.look) {
      await wait(WATCH.look);
      if (beat() !== since) return true;
    }
    return false;
  }
}

const here = () => ({ boot: read('/proc/sys/kernel/random/boot_id').trim() || '-', ns: namespace(), host: hostname() });

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '-';
  }
}

/** Start time of a process, because pids are reused; undefined if it is gone or a zombie. */
function processOf(pid: number): { start: string } | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The name before the last parenthesis is arbitrary; then come the state and, 19 fields later, the start.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return state && start && !/[ZX]/.test(state) ? { start } : undefined;
}

const ownerOf = (text: string) => parseLock(text) as Owner | undefined;

const inodeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;

function tried(work: () => void, code: string): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
    return false;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
