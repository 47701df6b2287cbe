import { readFileSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { parseLock } from './beat.ts';

const PERIOD_MS = 1000;

/* Heartbeat of a lock, in its own thread: a blocked main thread must not look dead. */
const { path, folder, fd, offset, id } = workerData as { path: string; folder: string; fd: number; offset: number; id: string };
let beats = 0;
let missing = 0;
setInterval(() => {
  const found = ownerId();
  missing = found === undefined ? missing + 1 : 0;
  if (found !== undefined && found !== id) stop('la ha tomado otro proceso de Enruta mientras este estaba suspendido');
  // A lock being restored is missing for an instant.
  if (missing > 1) stop('se ha quedado sin su archivo enruta.lock, y otro proceso podría tomarla');
  beats += 1;
  try {
    // Overwrites in place with a fixed length, which works even on a full disk.
    writeSync(fd, String(beats).padStart(12), offset);
  } catch {
    // The next beat retries.
  }
}, PERIOD_MS);

/** Owner id in the lock; undefined if the lock is missing; this process's own id if the lock cannot be read now. */
function ownerId(): string | undefined {
  try {
    return parseLock(readFileSync(path, 'utf8'))?.id ?? '';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : id;
  }
}

function stop(why: string) {
  writeSync(2, `Enruta se para sin escribir más: con la carpeta de datos ${folder} no puede seguir, porque ${why}.\n`);
  // A gentler end would still write to a database that has a new owner.
  process.kill(process.pid, 'SIGKILL');
  // As PID 1 of a container the process ignores SIGKILL; the main thread ends it.
  parentPort?.postMessage('stop');
}
