import fs from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { FileMigrationProvider } from 'kysely/migration';

/** The files of the folder by their names, which are their order; one that has been released is never changed. */
export const migrations = await new FileMigrationProvider({
  fs,
  path,
  migrationFolder: path.join(import.meta.dirname, 'migrations'),
  import: (file) => import(pathToFileURL(file).href),
  onFileIgnored: (file, reason) => {
    if (reason === 'NotMigration') throw new Error(`server/db/migrations/${file} exports no \`up\``);
  },
}).getMigrations();
