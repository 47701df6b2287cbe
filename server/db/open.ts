import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { Kysely, type KyselyPlugin, PGliteDialect, PostgresDialect, sql, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { type ConstructorOptions, fromPglite } from 'pg-boss';
import { listenPostgres } from './listen.ts';
import { lockFolder } from './lock.ts';
import { migrations } from './migrations.ts';
import type { Tables } from './schema.ts';

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;
export type Engine = 'pglite' | 'postgres';
export type OpenDb = {
  db: Db;
  engine: Engine;
  /** Listens on `channel`; `onGap` is called when notifications may have been missed. Returns how to stop. */
  listen: (channel: string, onMessage: (payload: string) => void, onGap: () => void) => Promise<() => Promise<void>>;
  /** Connection options for pg-boss. */
  boss: ConstructorOptions;
  close: () => Promise<void>;
};

// PostgreSQL sends `2026-11-20 13:42:43.123+00`, as all its sessions are in UTC. Slices the string because
// a page of orders has a hundred of them, and a Date costs ten times as much.
const toInstant = (value: string) => `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(3, '0').slice(0, 3)}Z`;
// Makes both engines return the same types: bigint → number (every bigint here is below 2^53),
// timestamptz → ISO text in UTC, date → yyyy-MM-dd.
const PARSERS: Record<number, (value: string) => unknown> = { 20: Number, 1700: Number, 1184: toInstant, 1082: (value) => value };

/** Opens the configured database: PostgreSQL if it has a URL, else the embedded one in its folder. */
export function openDatabase({ databaseUrl, dataDir }: { databaseUrl: string | undefined; dataDir: string }): Promise<OpenDb> {
  if (!databaseUrl) return openPGlite(dataDir);
  return Promise.resolve(openPostgres(databaseUrl, (error) => console.error(`Conexión con PostgreSQL perdida: ${error.message}`)));
}

// A shop's orders fit in memory, where random access costs the same and a second core halves full scans.
const IN_MEMORY = '-c random_page_cost=1.1 -c parallel_setup_cost=300';

/** Opens PostgreSQL at `url`. `onError` receives lost connections, which would otherwise crash the process. */
export function openPostgres(url: string, onError: (error: Error) => void, max = 10): OpenDb {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    options: `-c timezone=UTC -c datestyle=ISO -c statement_timeout=15000 -c idle_in_transaction_session_timeout=30000 ${IN_MEMORY}`,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') => PARSERS[oid] ?? pg.types.getTypeParser(oid, format ?? 'text'),
    } as pg.CustomTypesConfig,
  });
  pool.on('error', onError);
  pool.on('connect', (client) => {
    client.on('error', onError);
    prepareQueries(client);
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [GUARD] });
  return {
    db,
    engine: 'postgres',
    listen: (channel, onMessage, onGap) => listenPostgres(url, channel, onMessage, onGap, onError),
    boss: { connectionString: url, max: 2 },
    close: () => db.destroy(),
  };
}

const MARK = '/* unprepared */';
/** Add to a statement to have it planned each time, for its actual values. */
export const UNPREPARED = sql.raw(MARK);

// PostgreSQL plans a named statement once per connection but an unnamed one every time, which is half the cost of
// a short query. Distinct texts are few, since values are sent as parameters.
const MAX_PREPARED = 1000;
const names = new Map<string, string>();
let named = 0;
// A newer instance altered a table used by one of our cached plans.
const OUTDATED_PLAN = '0A000';
function prepareQueries(client: pg.PoolClient) {
  const query = client.query.bind(client) as (config: pg.QueryConfig | string, values?: unknown[]) => Promise<pg.QueryResult>;
  client.query = ((text: string, values?: unknown[]) => {
    if (!values?.length || text.includes(MARK)) return query(text, values);
    if (!names.has(text) && names.size < MAX_PREPARED) names.set(text, `q${named++}`);
    const name = names.get(text);
    if (!name) return query(text, values);
    return query({ name, text, values }).catch((error: { code?: string }) => {
      if (error.code !== OUTDATED_PLAN) throw error;
      // A new name forces a new plan. Inside a transaction, now aborted, it takes effect when that is retried.
      if (names.get(text) === name) names.set(text, `q${named++}`);
      return query(text, values).catch(() => {
        throw error;
      });
    });
  }) as typeof client.query;
}

/**
 * Opens the embedded database in `folder` (in memory without one), optionally loading the tarball `dump`.
 * Throws when another live process holds the folder, as two on one folder silently lose writes.
 */
export async function openPGlite(folder?: string, dump?: Blob): Promise<OpenDb> {
  let unlock = () => {};
  if (folder) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    unlock = lockFolder(folder);
  }
  const client = await PGlite.create({
    ...(folder ? { dataDir: join(folder, 'pglite') } : {}),
    ...(dump ? { loadDataDir: dump } : {}),
    extensions: { pg_trgm },
    parsers: PARSERS,
  });
  await client.exec("SET TIME ZONE 'UTC'; SET random_page_cost = 1.1");
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite: client }), plugins: [GUARD] });
  return {
    db,
    engine: 'pglite',
    listen: (channel, onMessage) => client.listen(channel, onMessage),
    boss: { db: fromPglite(client), backend: 'pglite' },
    close: async () => {
      await db.destroy();
      unlock();
    },
  };
}

/** Migrates to the latest schema, or an empty database to `to`; safe to run from several instances at once. */
export async function migrate(db: Db, to?: string): Promise<void> {
  await db.connection().execute(async (connection) => {
    // Indexing years of orders, or waiting for another instance to do so, exceeds a request's timeout.
    await sql`SET statement_timeout = 0`.execute(connection);
    try {
      const migrator = new Migrator({ db: connection, provider: { getMigrations: async () => migrations } });
      const { error } = await (to ? migrator.migrateTo(to) : migrator.migrateToLatest());
      if (error) throw error;
    } finally {
      await sql`RESET statement_timeout`.execute(connection);
    }
  });
}

const inTransaction = new AsyncLocalStorage<true>();

/**
 * Runs `work` in a transaction, joining it if `db` already is one. Retries deadlocks, serialization failures
 * and outdated plans, so `work` must have no effect outside the database.
 */
export async function transact<T>(db: Db | Tx, work: (tx: Tx) => Promise<T>, tries = 4): Promise<T> {
  if (db.isTransaction) return work(db as Tx);
  refuseInTransaction();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute((tx) => inTransaction.run(true, () => work(tx.withoutPlugins())));
    } catch (error) {
      const code = (error as { code?: string }).code;
      if ((code !== '40P01' && code !== '40001' && code !== OUTDATED_PLAN) || attempt === tries) throw error;
    }
  }
}

/**
 * Runs read-only `work` on a consistent snapshot of the database. On PGlite it holds the only connection, so
 * everything else waits.
 */
export async function snapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  refuseInTransaction();
  const transaction = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return transaction.execute((tx) => inTransaction.run(true, () => work(tx.withoutPlugins())));
}

// Rejects queries on the root handle inside a transaction: on PGlite, with its single connection, they would
// deadlock, and on PostgreSQL they would silently run outside the transaction.
const GUARD: KyselyPlugin = {
  transformQuery: ({ node }) => {
    refuseInTransaction();
    return node;
  },
  transformResult: async ({ result }) => result,
};
function refuseInTransaction() {
  if (inTransaction.getStore()) throw new Error('root database handle used inside a transaction');
}
