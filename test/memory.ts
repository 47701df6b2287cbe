import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const PLENTY = 8 * 2 ** 30;

/**
 * Makes a folder in memory for this run's databases and data folders, removed at its end; undefined where memory is scarce or runs no
 * programs, as in a container. Clusters written to a disk cost a quarter more of the processor's time.
 */
export function folderInMemory(): string | undefined {
  let folder: string | undefined;
  const remove = () => folder && rmSync(folder, { recursive: true, force: true });
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (Math.min(bavail * bsize, freemem()) < PLENTY) return undefined;
    folder = mkdtempSync(join(MEMORY, 'enruta-tests-'));
    // Programs of other users run in it.
    chmodSync(folder, 0o755);
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
    process.on('exit', remove);
    return folder;
  } catch {
    remove();
    return undefined;
  }
}
