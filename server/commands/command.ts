import type { Holding } from '../backups/tables.ts';
import { type Db, migrate, type OpenDb } from '../db/open.ts';
import type { Config } from '../kit/config.ts';

/** What a command is given: the configuration, how to open its database, and what of each table a backup keeps. */
export type Given = { config: Config; open: () => Promise<OpenDb>; holding: Holding };

/** One of `npm run enruta -- …`. */
export type Command = {
  /** Its arguments, in Spanish. */
  usage: string;
  what: string;
  run: (args: string[], given: Given) => Promise<void>;
};

/** The arguments are not those of the command, whose usage is then printed. */
export class UsageError extends Error {}

/** Opens the database at the latest schema for `work`, and closes it. */
export async function withDatabase<T>({ open }: Pick<Given, 'open'>, work: (db: Db, opened: OpenDb) => Promise<T>): Promise<T> {
  const opened = await open();
  try {
    await migrate(opened.db);
    return await work(opened.db, opened);
  } finally {
    await opened.close();
  }
}
