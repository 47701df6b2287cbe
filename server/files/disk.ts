import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkBytes, checkName, type Files } from './store.ts';

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
