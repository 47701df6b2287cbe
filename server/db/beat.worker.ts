import { readFileSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { parseLock } from './beat.ts';

const PERIOD_MS = 1000;

/*
 * The heartbeat of a locked folder. It runs in a thread of its own, so that work which blocks the main one for seconds
 * does not look like a dead process. It writes through the open file, so it can never touch the lock of whoever took over.
 */
const { path, folder, fd, offset, id } = workerData as { path: string; folder: string; fd: number; offset: number; id: string };
let beats = 0;
let missing = 0;
setInterval(() => {
  const found = ownerId();
  missing = found === undefined ? missing + 1 : 0;
  if (found !== undefined && found !== id) stop('la ha tomado otro proceso de Enruta mientras este estaba suspendido');
  // A lock that is being put back is missing for an instant.
  if (missing > 1) stop('se ha quedado sin su archivo enruta.lock, y otro proceso podría tomarla');
  beats += 1;
  try {
    // In place and as long as before, so that it needs no room on a full disk.
    writeSync(fd, String(beats).padStart(12), offset);
  } catch {
    // A disk that cannot be written for a moment: the next beat tries again.
  }
}, PERIOD_MS);

/** Id in the lock, undefined without a lock; this process's own where it cannot be read just now. */
function ownerId(): string | undefined {
  try {
    return parseLock(readFileSync(path, 'utf8'))?.id ?? '';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : id;
  }
}

function stop(why: string) {
  writeSync(2, `Enruta se para sin escribir más: con la carpeta de datos ${folder} no puede seguir, porque ${why}.\n`);
  // A gentler end would still write to a database that is no longer ours.
  process.kill(process.pid, 'SIGKILL');
  // The first process of a container ignores that, and ends as soon as its main thread is free.
  parentPort?.postMessage('stop');
}
