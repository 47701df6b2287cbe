import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../contract/policy/policy.ts';
import type { SecretName, Settings } from '../../contract/settings/values.ts';
import type { Db, OpenDb, Tx } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import type { Job } from '../jobs/runner.ts';
import type { Log } from '../log/log.ts';
import type { Config } from './config.ts';

export type Process = Pick<OpenDb, 'db' | 'url' | 'listen' | 'signal' | 'connections' | 'freeRoom'> & {
  config: Config;
  log: Log;
};
/** `features`: all features, for work on the tables or settings of every feature. */
export type Deps = Process & { features: readonly Feature[] };

/** How backups treat a table: `kept` is saved and restored, `passing` is emptied by a restore, `apart` is left alone. */
export type Keeping = 'kept' | 'passing' | 'apart';

/** `isShorter`: true if a retention term became shorter. `opened`: true if the local network was opened, false if it was closed. */
export type SettingsChange = { actor: Actor; changed: readonly (keyof Settings | SecretName)[]; isShorter: boolean; opened?: boolean };

/** Contribution of a server folder to the program; `server/features.ts` lists all features. */
export type Feature = {
  name: string;
  /** Tables of the feature, which no other feature may write. */
  tables?: Partial<Record<keyof Tables, Keeping>>;
  routes?: (app: FastifyInstance, deps: Deps) => void | Promise<void>;
  jobs?: (deps: Deps) => Job[];
  /** Deletes expired rows; runs hourly. */
  clean?: (db: Db) => Promise<unknown>;
  /** Reacts to changed settings, in the same transaction. */
  settingsChanged?: (tx: Tx, change: SettingsChange) => Promise<void>;
};
