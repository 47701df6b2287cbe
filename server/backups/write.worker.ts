import { openPostgres } from '../db/open.ts';
import { workFor } from './worker.ts';
import { type Aside, writeChecked } from './write.ts';

await workFor(async ({ url, path, ...options }: Aside, advance) => {
  // Ignores lost connections: the statement in progress fails anyway.
  const { db, close } = openPostgres(url, () => {}, 1);
  try {
    return await writeChecked(db, path, options, advance);
  } finally {
    await close();
  }
});
