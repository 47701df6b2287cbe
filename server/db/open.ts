import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Expression,
  Kysely,
  type KyselyPlugin,
  PostgresDialect,
  type QueryExecutorProvider,
  type SelectQueryBuilder,
  sql,
  type Transaction,
} from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Pool } from 'pg';
import type { ConstructorOptions } from 'pg-boss';
import { MAX_CONTADOS } from '../../contract/kit/endpoint.ts';
import { type Log, logSparingly } from '../log/log.ts';
import { type FreeRoom, freeRoom } from './disk.ts';
import { addressBeside, startEmbedded } from './embedded/embedded.ts';
import { canArchive } from './embedded/wal-spool.ts';
import { listenPostgres } from './listen.ts';
import { FolderInUse } from './lock.ts';
import { migrations } from './migrations.ts';
import { createPool, OUTDATED_PLAN, queryPool, withoutTimeout } from './pool.ts';
import type { Tables } from './schema.ts';
import { followSearched } from './search-text.ts';
import { HOLD, isLost, withCheckedTls } from './wait-for-database.ts';
import { flushWakes, sendWakes, type Wake } from './wakes.ts';

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;
export type OpenDb = {
  db: Db;
  /** For worker processes, which open their own connections. */
  url: string;
  /** Listens on `channel`; `onGap` is called when notifications may be lost. Returns a stop function. */
  listen: (channel: string, onMessage: (payload: string) => void, onGap: () => void) => Promise<() => Promise<void>>;
  /** Sends at once, even from inside a transaction. */
  signal: (wake: Wake) => void;
  boss: ConstructorOptions;
  /** Free bytes on the disk of the embedded database; infinite for another server. */
  freeRoom: FreeRoom;
  connections: () => Record<string, number>;
  close: () => Promise<void>;
};

/** `s3`: bucket for the WAL segments of the embedded database. */
type Place = { databaseUrl: string | undefined; dataDir: string; s3?: object | undefined; demo?: boolean };

/** Opens the configured database: PostgreSQL at its URL, else the embedded one. */
export async function openDatabase({ databaseUrl, dataDir, s3, demo }: Place, log: Log): Promise<OpenDb> {
  let closing = false;
  const report = logSparingly((leftOut, err: Error) => log.error({ err, leftOut }, 'connection to PostgreSQL lost'));
  const onError = (error: Error) => void (closing || report(error));
  if (databaseUrl) return openPostgres(databaseUrl, onError);
  const server = await startEmbedded(dataDir, log, { archives: s3 !== undefined && !demo && canArchive() });
  const opened = openPostgres(server.url, onError);
  return {
    ...opened,
    freeRoom: () => freeRoom(dataDir),
    close: async () => {
      closing = true;
      await opened.close();
      await server.close();
    },
  };
}

/** Like `openDatabase`, but uses the socket of a running shop that holds the data folder. For work that can run beside the shop. */
export async function openBeside(config: Place, log: Log): Promise<OpenDb> {
  try {
    return await openDatabase(config, log);
  } catch (error) {
    const address = error instanceof FolderInUse ? addressBeside(config.dataDir) : undefined;
    if (!address) throw error;
    return {
      ...openPostgres(address, (lost) => log.error({ err: lost }, 'connection to PostgreSQL lost')),
      freeRoom: () => freeRoom(config.dataDir),
    };
  }
}

/**
 * Opens PostgreSQL at `address`. `onError` receives lost connections, which would otherwise crash the process. `through`: what tests put around
 * the connections, to order statements.
 */
export function openPostgres(address: string, onError: (error: Error) => void, max = 10, through = (own: Pool): Pool => own): OpenDb {
  const url = withCheckedTls(address);
  const pool = through(createPool(url, max, onError));
  // Separate pool, so that requests and jobs cannot starve each other.
  const jobsPool = createPool(url, 2, onError);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [GUARD] });
  return {
    db,
    url,
    listen: (channel, onMessage, onGap) => listenPostgres(url, channel, onMessage, onGap, onError),
    signal: (wake) => inTransaction.exit(() => sendWakes(db, [wake])),
    boss: { db: { executeSql: (text, values) => queryPool(jobsPool, text, values) } },
    freeRoom: () => Number.POSITIVE_INFINITY,
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await flushWakes(db);
      await db.destroy();
      await jobsPool.end();
    },
  };
}

/** A migration failed. All migrations of a start run in one transaction, so the database is unchanged. */
export class MigrationFailed extends Error {
  readonly migration: string;
  constructor(migration: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `La base de datos no se ha podido actualizar a esta versión (${migration}: ${why}). No ha cambiado nada: la versión anterior la abre como estaba.`,
      { cause },
    );
    this.migration = migration;
  }
}

/** Milliseconds. `lock`: wait for a table, shorter than the server's look for deadlocks, whose victim would be a writer. `pause`: before another try. */
const MIGRATION = { lock: 700, pause: 2000, tries: 10 };
const LOCK_TIMEOUT = '55P03';

/**
 * Migrates to the latest schema, or an empty database to `to`. Safe to run concurrently, and beside an older instance that writes: takes the
 * locks of all tables first, and gives up and tries again while others hold them. Throws a Spanish sentence for a newer database.
 */
export async function migrateDatabase(db: Db, to?: string, pace = MIGRATION): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.connection().execute((connection) => withoutTimeout(connection, () => migrateOnce(connection, to, pace.lock)));
    } catch (error) {
      const cause = error instanceof MigrationFailed ? error.cause : error;
      if ((cause as { code?: string }).code !== LOCK_TIMEOUT && !isContended(cause)) throw error;
      if (attempt === pace.tries) throw new Error(BUSY, { cause: error });
      await sleep(pace.pause * (0.5 + Math.random()));
    }
  }
}

async function migrateOnce(connection: Db, to: string | undefined, lockMs: number): Promise<void> {
  const migrator = migratorOf(connection, lockMs);
  const { error, results } = await (to ? migrator.migrateTo(to) : migrator.migrateToLatest());
  if (error instanceof Error && /previously executed migration (\S+) is missing/.test(error.message))
    throw new Error(NEWER, { cause: error });
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  if (error) throw failed ? new MigrationFailed(failed, error) : error;
  // Skipped for an intermediate schema, which may lack the searched columns.
  if (!to) await followSearched(connection, (tx) => lockTables(tx, lockMs));
}

/** Creates a migrator, whose first migration waits until this transaction alone holds all tables. */
function migratorOf(db: Db, lockMs = MIGRATION.lock): Migrator {
  let isLocked = false;
  const locking = Object.entries(migrations).map(([name, { up }]) => {
    const lockAndUp = async (tx: Kysely<unknown>) => {
      if (!isLocked) await lockTables(tx, lockMs);
      isLocked = true;
      await up(tx);
    };
    return [name, { up: lockAndUp }] as const;
  });
  return new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(locking) } });
}

/** Locks all tables, orders and products first as writers do, until the transaction ends. Throws 55P03 if one is not free within `ms`. */
async function lockTables(tx: QueryExecutorProvider, ms: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND pg_get_userbyid(relowner) = current_user AND relname NOT LIKE 'kysely%'
    ORDER BY relname NOT LIKE 'pedidos%', relname NOT LIKE 'product%', relname`.execute(tx);
  if (rows.length === 0) return;
  await sql`SET LOCAL lock_timeout = ${sql.lit(ms)}`.execute(tx);
  await sql`LOCK TABLE ${sql.join(rows.map(({ name }) => sql.table(name)))} IN ACCESS EXCLUSIVE MODE`.execute(tx);
  await sql`SET LOCAL lock_timeout = 0`.execute(tx);
}
const BUSY =
  'La base de datos está ocupada (una copia de seguridad, una exportación, el cuadre u otra instancia), y no se ha podido actualizar a esta versión. No ha cambiado nada: espera a que acabe y arranca otra vez.';

export const pendingMigrations = async (db: Db): Promise<string[]> =>
  (await migratorOf(db).getMigrations()).filter(({ executedAt }) => !executedAt).map(({ name }) => name);
const NEWER =
  'Esta base de datos es de una versión más nueva de Enruta. Arranca esa versión, o restaura con esta una copia hecha antes de actualizar.';

const inTransaction = new AsyncLocalStorage<true>();

const [SERIALIZATION_FAILURE, DEADLOCK] = ['40001', '40P01'];

/** Marks an error so that `transact` retries. */
export const isRetryable = (error: object): object => Object.assign(error, { code: SERIALIZATION_FAILURE });

/** True for a serialization failure or a deadlock, after which nothing was changed. */
export const isContended = (error: unknown): boolean =>
  [SERIALIZATION_FAILURE, DEADLOCK].includes((error as { code?: string } | undefined)?.code ?? '');

/** Longest pause before the first retry, in milliseconds; grows with each retry. */
const PAUSE_MS = 40;

const wakesOf = new WeakMap<Tx, Wake[]>();

/** Sends `wake` after `tx` commits; never after a rollback. */
export function wakeAfter(tx: Tx, wake: Wake): void {
  const wakes = wakesOf.get(tx);
  if (!wakes) throw new Error('not a transaction of transact()');
  wakes.push(wake);
}

type First = { begin: (tx: Tx) => Promise<void>; state: 'open' | 'begun' | 'committed' };
const firstTransaction = new AsyncLocalStorage<First>();

/** Runs `work`, with `begin` at the head of its first committing transaction; an error of `begin` rolls the transaction back. */
export const whileFirstTransaction = <T>(begin: First['begin'], work: () => Promise<T>): Promise<T> =>
  firstTransaction.run({ begin, state: 'open' }, work);

/**
 * Runs `work` in a transaction, or in `db` if already a transaction. Retries conflicts, outdated plans and connections lost before the
 * commit, so `work` must have no other effects. Throws the last error: a conflict is answered with 409, a lost connection with 503.
 */
export async function transact<T>(db: Db | Tx, work: (tx: Tx) => Promise<T>, tries = 5): Promise<T> {
  if (db.isTransaction) return work(db as Tx);
  refuseInTransaction();
  const since = Date.now();
  for (let attempt = 1; ; attempt += 1) {
    const wakes: Wake[] = [];
    let committing = false;
    const waiting = firstTransaction.getStore();
    const first = waiting?.state === 'open' ? waiting : undefined;
    if (first) first.state = 'begun';
    try {
      const done = await db.transaction().execute((tx) =>
        inTransaction.run(true, async () => {
          const own = tx.withoutPlugins();
          wakesOf.set(own, wakes);
          await first?.begin(own);
          const done = await work(own);
          committing = true;
          return done;
        }),
      );
      if (first) first.state = 'committed';
      sendWakes(db, wakes);
      return done;
    } catch (error) {
      if (first) first.state = 'open';
      const contended = isContended(error);
      // A connection lost before the commit changed nothing. After a loss during the commit, the outcome is unknown: never retried.
      const lost = isLost(error) && !committing && Date.now() - since < HOLD.whole;
      if (!(contended || lost || (error as { code?: string }).code === OUTDATED_PLAN) || attempt === tries) throw error;
      // Random, so that the same transactions do not collide again; holds no connection meanwhile.
      if (contended) await sleep(Math.random() * PAUSE_MS * attempt);
    }
  }
}

/** Runs read-only `work` on a consistent snapshot. */
export async function onSnapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  refuseInTransaction();
  const transaction = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return transaction.execute((tx) => inTransaction.run(true, () => work(tx.withoutPlugins())));
}

// Rejects queries on the root handle inside a transaction, which would silently run outside it.
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

/** Drops the types of a query's CTEs, so that more can be added: TypeScript 7 accepts that or not by the order of files. */
export const dropCtes = (query: object): Pick<Tx, 'with'> => query as Pick<Tx, 'with'>;

/** For `$call`: limits a query to the rows of a page; pages count from 1. */
export const onPage =
  ({ page, per_page }: { page: number; per_page: number }) =>
  <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O> =>
    query.limit(per_page).offset((page - 1) * per_page);

type Countable = { limit: (rows: number) => Expression<unknown> };

/** Counts the rows of `queryPool`, up to `MAX_CONTADOS` + 1 unless `contar` is set. */
export async function countRows(db: Db, query: Countable & Expression<unknown>, contar: 'todos' | undefined): Promise<number> {
  const counted = contar ? query : query.limit(MAX_CONTADOS + 1);
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${counted} counted`.execute(db);
  return rows[0]?.n ?? 0;
}
