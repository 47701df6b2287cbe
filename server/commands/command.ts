import type { Holding } from '../backups/tables.ts';
import { type Db, migrateDatabase, type OpenDb } from '../db/open.ts';
import type { Config } from '../kit/config.ts';
import type { Log } from '../log/log.ts';

export type Env = {
  config: Config;
  open: () => Promise<OpenDb>;
  /** Works beside a running server too. */
  openBeside: () => Promise<OpenDb>;
  holding: () => Promise<Holding>;
  log: Log;
};

export type Command = {
  usage: string;
  what: string;
  run: (args: string[], context: Env) => Promise<void>;
};

/** Thrown for wrong arguments; `enruta.ts` then prints the usage. */
export class UsageError extends Error {}

/** Opens and migrates the database, runs `work`, and closes the database. */
export async function withDatabase<T>({ open }: Pick<Env, 'open'>, work: (db: Db, opened: OpenDb) => Promise<T>): Promise<T> {
  const opened = await open();
  try {
    await migrateDatabase(opened.db);
    return await work(opened.db, opened);
  } finally {
    await opened.close();
  }
}
