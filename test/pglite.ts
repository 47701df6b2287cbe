import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { Kysely, PGliteDialect } from 'kysely';
import type { TestProject } from 'vitest/node';
import { migrate } from '../server/db/open.ts';
import type { Tables } from '../server/db/schema.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the dump of a migrated PGlite. */
    pgliteDump: string;
  }
}

/** Global setup of the API suite on PGlite: migrates once, since loading a dump is many times faster. */
export default async function setup(project: TestProject) {
  const client = await PGlite.create({ extensions: { pg_trgm } });
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite: client }) });
  await migrate(db);
  const dump = await client.dumpDataDir('none');
  await db.destroy();
  const folder = mkdtempSync(join(tmpdir(), 'enruta-pglite-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // An interrupted run never calls the teardown that setup returns.
  process.once('exit', remove);
  const path = join(folder, 'migrated.tar');
  writeFileSync(path, Buffer.from(await dump.arrayBuffer()));
  project.provide('pgliteDump', path);
  return remove;
}
