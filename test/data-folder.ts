import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase, type OpenDb, openDatabase } from '../server/db/open.ts';
import { createLog } from '../server/log/log.ts';
import { copyFolder } from './copy-folder.ts';

/** Opens the embedded database in a data folder. */
export const openFolder = (dataDir: string): Promise<OpenDb> =>
  openDatabase({ databaseUrl: undefined, dataDir }, createLog('error', process.stderr));

let template: Promise<string> | undefined;

/** Copies a data folder with a migrated database to `to`, because creating one takes seconds. */
export async function migratedFolder(to: string): Promise<void> {
  copyFolder(await (template ??= makeTemplate()), to);
}

async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'enruta-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { db, close } = await openFolder(folder);
  await migrateDatabase(db);
  await close();
  return folder;
}
