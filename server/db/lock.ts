import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';

/**
 * Takes `<folder>.lock` for this process and returns the function that gives it back. The file stands
 * beside the folder so that copying or restoring the folder does not carry it along.
 * Throws, in Spanish, when a living process holds it; steals it from a dead one.
 */
export function lockFolder(folder: string): () => void {
  const path = `${folder.replace(/\/+$/, '')}.lock`;
  const mine = `${process.pid} ${startedAt(process.pid)}`;
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, mine);
  try {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      try {
        // link() fails when the name exists: the only atomic «create if absent, with its content».
        linkSync(draft, path);
        return () => {
          if (read(path) === mine) rmSync(path, { force: true });
        };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = read(path);
      const [pid, start] = holder.split(' ');
      if (pid && isAlive(Number(pid)) && startedAt(Number(pid)) === start) {
        throw new Error(`La carpeta de datos ${folder} ya la usa otro proceso de Enruta (pid ${pid}). Ciérralo antes o usa otra DATA_DIR.`);
      }
      // Moved aside before it is removed: if somebody else stole it meanwhile, their lock goes back.
      const stale = `${draft}.stale`;
      try {
        renameSync(path, stale);
        if (read(stale) !== holder) linkSync(stale, path);
        unlinkSync(stale);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
    throw new Error(`No se pudo bloquear la carpeta de datos ${folder}.`);
  } finally {
    unlinkSync(draft);
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

// A pid is used again after a reboot; with its start time it names one process (Linux; elsewhere the pid alone).
function startedAt(pid: number): string {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-';
}
