import { openPGlite } from '../db/open.ts';
import { workFor } from './worker.ts';
import { type Aside, writeBackup } from './write.ts';

await workFor(async ({ copy, path, ...given }: Aside, advance) => {
  const { db, close } = await openPGlite(copy);
  try {
    return await writeBackup(db, path, given, advance);
  } finally {
    await close();
  }
});
