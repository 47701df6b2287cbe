import { AsyncLocalStorage } from 'node:async_hooks';
import { type QueryExecutorProvider, sql } from 'kysely';
import pg from 'pg';
import { holdWhileStarting } from './wait-for-database.ts';

// Input: `2026-11-20 13:42:43.123+00`; all sessions are in UTC. Slicing is ten times as fast as a Date, and a page of orders has 100 instants.
const toInstant = (value: string) => `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(3, '0').slice(0, 3)}Z`;
// bigint and numeric → number (all below 2^53), timestamptz → ISO text in UTC, date → yyyy-MM-dd.
const PARSERS: Record<number, (value: string) => unknown> = { 20: Number, 1700: Number, 1184: toInstant, 1082: (value) => value };
export const TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => PARSERS[oid] ?? pg.types.getTypeParser(oid, format ?? 'text'),
} as pg.CustomTypesConfig;

// The data fits in memory, where random access costs the same as sequential. Parallel workers start too slowly for a page.
const IN_MEMORY = '-c random_page_cost=1.1 -c parallel_setup_cost=10000';

const STATEMENT_MS = 12_000;
/** Timeouts in ms: connecting, and a connection without an answer. */
const PATIENCE = { connect: 4000, silence: STATEMENT_MS + 1000 };

/** Creates a pool for PostgreSQL at `url`. `onError` receives lost connections, which would otherwise crash the process. */
export function createPool(url: string, max: number, onError: (error: Error) => void, patience = PATIENCE): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: patience.connect,
    keepAlive: true,
    options: `-c timezone=UTC -c datestyle=ISO -c statement_timeout=${STATEMENT_MS} -c idle_in_transaction_session_timeout=30000 ${IN_MEMORY}`,
    types: TYPES,
    verify: (client, done) => void verifySession(client).then(() => done(), done),
  });
  const names = new Names();
  // Reports a wrong address at once. After the first connection, a refusal can mean that the database is restarting.
  let hasAnswered = false;
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  pool.connect = (() => (hasAnswered ? holdWhileStarting(connect) : connect())) as typeof pool.connect;
  pool.on('error', onError);
  pool.on('connect', (client) => {
    hasAnswered = true;
    client.on('error', onError);
    configureQueries(client, names, patience.silence);
  });
  return pool;
}

/** Rejects connections not in UTC: a pooler may drop the options, which would silently shift all times. */
async function verifySession(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query("SELECT current_setting('TimeZone') AS zone, current_setting('DateStyle') AS style");
  const { zone, style } = rows[0] as { zone: string; style: string };
  if (zone !== 'UTC' || !style.startsWith('ISO')) throw new Error(NOT_UTC);
}
const NOT_UTC =
  'DATABASE_URL: la conexión no está en hora UTC, y todas las horas saldrían mal. Algo entre Enruta y PostgreSQL (PgBouncer, por ' +
  "ejemplo) descarta las opciones de la conexión: conéctate sin ello, o ejecuta ALTER DATABASE … SET timezone TO 'UTC' y SET datestyle TO " +
  "'ISO', y haz que PgBouncer conecte otra vez (RECONNECT en su consola), porque guarda las conexiones de antes.";

export async function queryPool(pool: pg.Pool, text: string, values?: unknown[]): Promise<pg.QueryResult> {
  const client = await pool.connect();
  try {
    const result = await client.query(text, values);
    client.release();
    return result;
  } catch (error) {
    // Drops the connection, because a script that failed halfway (pg-boss creating its tables) leaves its transaction open.
    client.release(true);
    throw error;
  }
}

const untimed = new AsyncLocalStorage<true>();

/** Runs `work` without statement timeout; in a transaction, the server's limit stays off until the transaction ends. */
export async function withoutTimeout<T>(db: QueryExecutorProvider & { isTransaction: boolean }, work: () => Promise<T>): Promise<T> {
  const local = db.isTransaction ? sql`LOCAL` : sql``;
  await sql`SET ${local} statement_timeout = 0`.execute(db);
  try {
    return await untimed.run(true, work);
  } finally {
    if (!db.isTransaction) await sql`RESET statement_timeout`.execute(db);
  }
}

const MARK = '/* unprepared */';
/** Marks a statement to be planned each time, for its actual values. */
export const UNPREPARED = sql.raw(MARK);

// Prepared statements are planned once per connection, which halves the time of a short query. Values are parameters, so few texts exist.
const MAX_PREPARED = 1000;
export class Names {
  readonly #names = new Map<string, string>();
  #given = 0;

  /** Name of `text`; undefined beyond the limit. */
  of(text: string): string | undefined {
    if (!this.#names.has(text) && this.#names.size < MAX_PREPARED) this.#give(text);
    return this.#names.get(text);
  }

  /** Renames `text`, which forces a new plan, unless it was renamed already. */
  renew(text: string, name: string): void {
    if (this.#names.get(text) === name) this.#give(text);
  }

  #give(text: string): void {
    this.#names.set(text, `q${this.#given++}`);
  }
}

/** SQLSTATE after a newer instance altered a table of a cached plan. */
export const OUTDATED_PLAN = '0A000';

/** Makes a connection prepare its statements, and drops it after `silence` milliseconds without answer. */
export function configureQueries(client: pg.PoolClient, names: Names, silence?: number): void {
  const send = client.query.bind(client) as (config: object) => Promise<pg.QueryResult>;
  const ask = (config: pg.QueryConfig) =>
    untimed.getStore() || !silence
      ? send(config)
      : send({ ...config, query_timeout: silence }).catch((error: Error) => {
          // end() with a running statement closes the socket; the pool then drops the connection.
          if (error.message === 'Query read timeout') void (client as pg.PoolClient & Pick<pg.Client, 'end'>).end().catch(() => {});
          throw error;
        });
  client.query = ((text: string, values?: unknown[]) => {
    if (!values?.length || text.includes(MARK)) return ask({ text, ...(values ? { values } : {}) });
    const name = names.of(text);
    if (!name) return ask({ text, values });
    return ask({ name, text, values }).catch((error: { code?: string }) => {
      if (error.code !== OUTDATED_PLAN) throw error;
      // In a transaction, now aborted, the new name takes effect on retry.
      names.renew(text, name);
      return ask({ text, values }).catch(() => {
        throw error;
      });
    });
  }) as typeof client.query;
}
