import type { FastifyInstance } from 'fastify';
import type { Settings } from '../../contract/settings.ts';
import type { Db, OpenDb, Tx } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import type { Job } from '../jobs/runner.ts';
import type { Config } from './config.ts';

/** The database and the configuration that a process runs on. */
export type Process = Pick<OpenDb, 'db' | 'engine' | 'listen'> & { config: Config };
/** What a feature is given; `features` are all of them, for what concerns each one's own. */
export type Deps = Process & { features: readonly Feature[] };

/**
 * What a restore does with a table: `kept` is in a backup and comes back from it, `passing` is not and is emptied,
 * `apart` is not and stays.
 */
export type Keeping = 'kept' | 'passing' | 'apart';

/** What a folder of the server brings into the program; `server/features.ts` lists them. */
export type Feature = {
  /** Its folder. */
  name: string;
  /** The tables that no other feature writes. */
  tables?: Partial<Record<keyof Tables, Keeping>>;
  routes?: (app: FastifyInstance, deps: Deps) => void | Promise<void>;
  jobs?: (deps: Deps) => Job[];
  /** Forgets, every hour, what has no use any more. */
  clean?: (db: Db) => Promise<unknown>;
  /** Follows a change of the settings, in its transaction. */
  settingsChanged?: (tx: Tx, changed: readonly (keyof Settings)[]) => Promise<void>;
};
