import fs from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { FileMigrationProvider } from 'kysely/migration';

/** Migrations by file name. Never change a released migration. */
export const migrations = await new FileMigrationProvider({
  fs,
  path,
  migrationFolder: path.join(import.meta.dirname, 'migrations'),
  import: (file) => import(pathToFileURL(file).href),
  onFileIgnored: (file, reason) => {
    if (reason === 'NotMigration') throw new Error(`server/db/migrations/${file} exports no \`up\``);
  },
}).getMigrations();
