import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Environment of the processes that tests start: only the caller's PATH, and V8's compile cache of this run.
 * Without the cache each process would compile a thousand modules again, which is half of its cost.
 */
export function childEnv(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) };
}

/** Gives this process and its children a compile cache, unless they have one; returns a function that removes the cache. */
export function shareCompileCache(): () => void {
  if (process.env.NODE_COMPILE_CACHE) return () => {};
  const folder = mkdtempSync(join(tmpdir(), 'enruta-compiled-'));
  process.env.NODE_COMPILE_CACHE = folder;
  return () => {
    delete process.env.NODE_COMPILE_CACHE;
    rmSync(folder, { recursive: true, force: true });
  };
}
