import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proveIdentity } from '../contract/account/account.ts';
import type { Role } from '../contract/policy/policy.ts';
import { type Arranger, arranger, connectAs, type Person } from '../e2e/api.ts';
import { SUPERADMIN } from '../e2e/server.ts';
import { type Db, migrateDatabase, openPostgres } from '../server/db/open.ts';
import type { Client } from '../test/client.ts';
import { migratedFolder, openFolder } from '../test/data-folder.ts';
import { copyOf, query, startPostgres, withDatabase } from '../test/postgres.ts';
import { each, range } from './each.ts';
import { type Instance, startInstance } from './server.ts';

/** A database and the processes that serve it. */
export type Shop = Arranger & {
  instances: Instance[];
  /** Environment variables that select the shop's database. */
  env: Record<string, string>;
  /** The shop's data folder. */
  dataDir: string;
  /** URL of an instance; `turn` wraps around the number of instances. */
  url: (turn?: number) => string;
  /** Restarts an ended instance at the same address. */
  again: (n?: number) => Promise<void>;
  /** Signs a person in at an instance. */
  signIn: (person: { email: string; password: string }, turn?: number) => Promise<Client>;
  /** Creates `n` people of a role and signs each in, at the instances in turn. */
  crew: (role: Role, n: number) => Promise<Member[]>;
  /** Reads the database directly. Stops a shop on its own database first, and leaves the shop stopped. */
  inspect: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
};
export type Member = Client & { person: Person };
type Options = {
  /** Uses the program's own database, with one instance, instead of the shared server. */
  own?: boolean;
  instances?: number;
  env?: Record<string, string>;
  slowPasswords?: boolean;
  /** Replaces the URL of PostgreSQL, e.g. by a proxy. */
  through?: (url: string) => Promise<string>;
};
export type World = ReturnType<typeof createWorld>;

// A killed server must keep acknowledged writes, and many instances need many connections.
const SETTINGS = { synchronous_commit: 'on', full_page_writes: 'on', max_connections: '300' };

let scratch: string | undefined;
let server: Promise<{ url: string; stop: () => Promise<void> }> | undefined;

const newFolder = (name: string) => mkdtempSync(join((scratch ??= mkdtempSync(join(tmpdir(), 'enruta-torture-'))), `${name}-`));

/** Starts the shared PostgreSQL, with an empty database and a migrated one to copy. */
async function postgres() {
  const { url, stop } = await startPostgres(SETTINGS);
  for (const name of ['empty', 'migrated']) await query(url, `CREATE DATABASE ${name}`);
  const { db, close } = openPostgres(withDatabase(url, 'migrated'), console.error, 1);
  await migrateDatabase(db);
  await close();
  return { url, stop };
}

// Removes the temporary files at every exit, also by Ctrl+C.
process.once('exit', () => scratch && rmSync(scratch, { recursive: true, force: true }));

/** Stops the shared server. */
export async function closeShared(): Promise<void> {
  await (await server)?.stop();
}

/** Databases and shops for a row, all closed after the row. */
export function createWorld() {
  const closing: (() => unknown)[] = [];
  const started: Instance[] = [];

  /** Variables for a new database: `empty` or migrated, the program's `own` or on the shared server. */
  async function database({ empty = false, own = false } = {}): Promise<Record<string, string>> {
    const DATA_DIR = newFolder('data');
    closing.push(() => rmSync(DATA_DIR, { recursive: true, force: true }));
    if (own) {
      if (!empty) await migratedFolder(DATA_DIR);
      return { DATA_DIR };
    }
    const { url } = await (server ??= postgres());
    const copy = await copyOf(withDatabase(url, empty ? 'empty' : 'migrated'));
    closing.push(copy.drop);
    return { DATA_DIR, DATABASE_URL: copy.url, SECRET_KEY: 'only for the torture: thirty-two characters' };
  }

  /** Opens a database made by `database`; no process may own it at that time. */
  async function lookInto<T>({ DATA_DIR, DATABASE_URL }: Record<string, string>, work: (db: Db) => Promise<T>): Promise<T> {
    const { db, close } = DATABASE_URL ? openPostgres(DATABASE_URL, () => {}, 4) : await openFolder(DATA_DIR ?? '');
    try {
      return await work(db);
    } finally {
      await close();
    }
  }

  /** Opens a shop with a superadmin. */
  async function open(options: Options = {}): Promise<Shop> {
    const found = await database({ own: options.own ?? false });
    const reached = found.DATABASE_URL && options.through ? { ...found, DATABASE_URL: await options.through(found.DATABASE_URL) } : found;
    const instances: Instance[] = [];
    const start = async (env: Record<string, string> = {}) => {
      const instance = await startInstance({ ...reached, ...options.env, ...env }, options);
      closing.push(() => instance.stop('SIGKILL'));
      started.push(instance);
      await instance.ready();
      return instance;
    };
    // Starts one after the other, because the row «starts» tests concurrent starts.
    for (let n = 0; n < (options.instances ?? 1); n += 1) instances.push(await start());
    const url = (turn = 0) => (instances[turn % instances.length] as Instance).url;
    const arrange = arranger(url(), await connectAs(url(), SUPERADMIN));
    return {
      ...arrange,
      instances,
      env: found,
      dataDir: found.DATA_DIR ?? '',
      url,
      again: async (n = 0) => {
        instances[n] = await start({ PORT: new URL(url(n)).port });
      },
      signIn: (person, turn) => connectAs(url(turn), person),
      crew: (role, n) =>
        each(range(n), 8, async (i) => {
          const person = await arrange.user(role);
          const client = await connectAs(url(i), person);
          // Confirms the password of superadmins, for endpoints with `stepUp`.
          if (role === 'superadmin') await client.call(proveIdentity, { body: { password: person.password } });
          return { ...client, person };
        }),
      inspect: async (work) => {
        if (options.own) for (const instance of instances) await instance.stop();
        return lookInto(found, work);
      },
    };
  }

  return {
    open,
    database,
    lookInto,
    /** Creates a new folder with this name. */
    folder: (name: string) => {
      const path = join(newFolder('row'), name);
      mkdirSync(path);
      return path;
    },
    /** End of the output of ended processes. */
    lastWords: () =>
      started.filter(({ child }) => child.exitCode !== null).map(({ child, log }) => `ended with ${child.exitCode}: ${log().slice(-1000)}`),
    /** Registers work for the end of the row; the latest runs first. */
    atEnd: (work: () => unknown) => void closing.push(work),
    close: async () => {
      for (const work of closing.splice(0).reverse()) {
        try {
          await work();
        } catch (error) {
          console.error(error);
        }
      }
    },
  };
}
