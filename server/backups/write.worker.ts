import { workerData } from 'node:worker_threads';
import { openPGlite } from '../db/open.ts';
import { workFor } from './worker.ts';
import { type Aside, writeBackup } from './write.ts';

const { copy, path, ...given } = workerData as Aside;
await workFor(path, async (advance) => {
  const { db, close } = await openPGlite(copy);
  try {
    return await writeBackup(db, path, given, advance);
  } finally {
    await close();
  }
});
