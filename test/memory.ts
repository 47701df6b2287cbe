import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const PLENTY = 8 * 2 ** 30;

/**
 * Creates a folder in memory for this run's databases and data folders, because clusters on a disk take a quarter more processor time.
 * The folder is removed at the end. Returns undefined if memory is scarce or programs cannot run in it, as in a container.
 */
export function folderInMemory(): string | undefined {
  let folder: string | undefined;
  const remove = () => folder && rmSync(folder, { recursive: true, force: true });
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (Math.min(bavail * bsize, freemem()) < PLENTY) return undefined;
    folder = mkdtempSync(join(MEMORY, 'enruta-tests-'));
    // Other users, such as PostgreSQL's, run programs in the folder.
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
