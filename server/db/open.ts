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
  /** Hears what is notified on `channel`; `onGap` is called when something may have been missed. Returns how to stop. */
  listen: (channel: string, onMessage: (payload: string) => void, onGap: () => void) => Promise<() => Promise<void>>;
  /** How pg-boss reaches this database. */
  boss: ConstructorOptions;
  close: () => Promise<void>;
};

// PostgreSQL writes `2026-11-20 13:42:43.123+00`; the sessions are all in UTC.
// Cut and pasted: a page of orders has a hundred of them, and a Date costs ten times as much.
const toInstant = (value: string) => `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(3, '0').slice(0, 3)}Z`;
// One reading of the wire on both engines: bigint → number (every bigint here is below 2^53),
// timestamptz → ISO text in UTC, date → yyyy-MM-dd.
const PARSERS: Record<number, (value: string) => unknown> = { 20: Number, 1700: Number, 1184: toInstant, 1082: (value) => value };

/** Opens the database that the configuration names: PostgreSQL by its address, else the embedded one of its folder. */
export function openDatabase({ databaseUrl, dataDir }: { databaseUrl: string | undefined; dataDir: string }): Promise<OpenDb> {
  if (!databaseUrl) return openPGlite(dataDir);
  return Promise.resolve(openPostgres(databaseUrl, (error) => console.error(`Conexión con PostgreSQL perdida: ${error.message}`)));
}

// A shop's orders fit in memory, where a page costs the same wherever it lies, and a second core halves what is read whole.
const IN_MEMORY = '-c random_page_cost=1.1 -c parallel_setup_cost=300';

/** Opens PostgreSQL at `url`. `onError` hears of lost connections; without it they would end the process. */
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
/** In a statement's text: it is planned for its values, each time. */
export const UNPREPARED = sql.raw(MARK);

// The server plans a named statement once a connection, an unnamed one every time, which for short queries is
// half of what they cost. The texts are few: values travel beside them.
const MAX_PREPARED = 1000;
const names = new Map<string, string>();
let named = 0;
// A newer instance has changed a table under a plan of ours.
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
      // Under another name it is planned anew. In a transaction, which is lost, that is for its next try.
      if (names.get(text) === name) names.set(text, `q${named++}`);
      return query(text, values).catch(() => {
        throw error;
      });
    });
  }) as typeof client.query;
}

/**
 * Opens the embedded database in `folder` (in memory without one), `dump` being a tarball to start from.
 * Throws when another living process holds the folder: two on one folder silently lose writes.
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

/** Brings the schema up to date, or an empty database to the migration named `to`; safe to run from several instances at once. */
export async function migrate(db: Db, to?: string): Promise<void> {
  await db.connection().execute(async (connection) => {
    // Longer than a request may take: an index of years of orders, or the wait for another instance that makes it.
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
 * Runs `work` in one transaction (joining the one `db` already is). Deadlocks, serialization failures and
 * outdated plans are tried again, so `work` must have no effect outside the database.
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
 * Runs `work`, which only reads, on one unchanging state of the database. On PGlite, whose one connection it
 * holds, everybody else waits.
 */
export async function snapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  refuseInTransaction();
  const transaction = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return transaction.execute((tx) => inTransaction.run(true, () => work(tx.withoutPlugins())));
}

// PGlite has one connection: asking the root handle for it inside a transaction would wait for ever, and
// on PostgreSQL the query would silently run outside the transaction. Both are the same mistake: refuse it.
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
