import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';

/**
 * Acquires `<folder>.lock` for this process and returns the function that releases it. The file is
 * beside the folder, so that copying or restoring the folder does not include it.
 * Throws, in Spanish, when a live process holds it; takes it over from a dead one.
 */
export function lockFolder(folder: string): () => void {
  const path = `${folder.replace(/\/+$/, '')}.lock`;
  const mine = `${process.pid} ${startedAt(process.pid)}`;
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, mine);
  try {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      try {
        // link() fails if the name exists: the only atomic way to create a file together with its content.
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
      // Move it aside before removing it: if another process took it over meanwhile, put that lock back.
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

// Pids are reused; together with its start time one identifies a process (Linux only; elsewhere the pid alone).
function startedAt(pid: number): string {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-';
}
