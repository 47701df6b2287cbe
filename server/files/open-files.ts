import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../kit/config.ts';
import { openBucket } from './bucket.ts';
import { checkBytes, checkName, type Files, MAX_BYTES } from './store.ts';

/** Opens the configured file store: a bucket if `S3_…` is set, else a folder. */
export const openFiles = ({ s3, filesDir }: Pick<Config, 's3' | 'filesDir'>): Files => (s3 ? s3Files(s3) : diskFiles(filesDir));

/** Stores files in a bucket of an S3-compatible service, with path-style addresses. */
export function s3Files(config: NonNullable<Config['s3']>): Files {
  const bucket = openBucket(config);
  return {
    put: async (name, bytes) => bucket.put(checkName(name), bytes),
    get: async (name) => {
      const bytes = await bucket.get(checkName(name), MAX_BYTES);
      return bytes && checkBytes(name, bytes);
    },
    remove: async (name) => bucket.remove(checkName(name)),
  };
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Stores files in a folder that only its owner can read. */
export function diskFiles(folder: string): Files {
  const at = (name: string) => join(folder, checkName(name));
  return {
    put: async (name, bytes) => {
      const path = at(name);
      const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const draft = `${path}.${randomUUID()}`;
      const file = await open(draft, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        // Syncs before the response is sent, because the phone then deletes its copy.
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
      // Syncs the folders, so that the names survive a power cut too.
      await sync(dirname(path));
      if (made) await sync(dirname(dirname(path)));
    },
    get: async (name) => {
      const bytes = await readFile(at(name)).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      });
      return bytes && checkBytes(name, bytes);
    },
    remove: (name) => rm(at(name), { force: true }),
  };
}

async function sync(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
