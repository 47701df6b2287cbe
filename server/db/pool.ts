import { AsyncLocalStorage } from 'node:async_hooks';
import { type QueryExecutorProvider, sql } from 'kysely';
import pg from 'pg';

// PostgreSQL sends `2026-11-20 13:42:43.123+00`, as all its sessions are in UTC. Slices the string because
// a page of orders has a hundred of them, and a Date costs ten times as much.
const toInstant = (value: string) => `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(3, '0').slice(0, 3)}Z`;
// Types that JSON has: bigint → number (every bigint here is below 2^53),
// timestamptz → ISO text in UTC, date → yyyy-MM-dd.
const PARSERS: Record<number, (value: string) => unknown> = { 20: Number, 1700: Number, 1184: toInstant, 1082: (value) => value };
export const TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => PARSERS[oid] ?? pg.types.getTypeParser(oid, format ?? 'text'),
} as pg.CustomTypesConfig;

// A shop's orders fit in memory, where random access costs the same. Workers take longer to start than a page takes, so only what
// reads whole tables has them.
const IN_MEMORY = '-c random_page_cost=1.1 -c parallel_setup_cost=10000';

/** Milliseconds after which the server ends a statement. */
const STATEMENT_MS = 12_000;
/**
 * Milliseconds to connect, or to wait for a free connection; and those after which a server that says nothing is
 * taken for dead and its connection is dropped.
 */
const PATIENCE = { connect: 4000, silence: STATEMENT_MS + 1000 };

/** Connections to PostgreSQL at `url`. `onError` receives lost ones, which would otherwise crash the process. */
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
  pool.on('error', onError);
  pool.on('connect', (client) => {
    client.on('error', onError);
    configureQueries(client, names, patience.silence);
  });
  return pool;
}

/** Rejects a connection that is not in UTC: a pooler may drop the options, and all times would silently be wrong. */
async function verifySession(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query("SELECT current_setting('TimeZone') AS zone, current_setting('DateStyle') AS style");
  const { zone, style } = rows[0] as { zone: string; style: string };
  if (zone !== 'UTC' || !style.startsWith('ISO')) throw new Error(NOT_UTC);
}
const NOT_UTC =
  'DATABASE_URL: la conexión no está en hora UTC, y todas las horas saldrían mal. Algo entre Enruta y PostgreSQL (PgBouncer, por ' +
  "ejemplo) descarta las opciones de la conexión: conéctate sin ello, o ejecuta ALTER DATABASE … SET timezone TO 'UTC' y SET datestyle TO 'ISO'.";

/** Runs one statement on a free connection. */
export async function query(pool: pg.Pool, text: string, values?: unknown[]): Promise<pg.QueryResult> {
  const client = await pool.connect();
  try {
    const result = await client.query(text, values);
    client.release();
    return result;
  } catch (error) {
    // Dropped, for a script that fails halfway leaves its transaction open: pg-boss makes its tables by one.
    client.release(true);
    throw error;
  }
}

const untimed = new AsyncLocalStorage<true>();

/**
 * Lets the statements of `work` take as long as they need. Inside a transaction the server's own limit is off until
 * its end.
 */
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
/** Add to a statement to have it planned each time, for its actual values. */
export const UNPREPARED = sql.raw(MARK);

// PostgreSQL plans a named statement once per connection but an unnamed one every time, which is half the cost of
// a short query. Distinct texts are few, since values are sent as parameters.
const MAX_PREPARED = 1000;
/** The names under which the connections of one pool prepare their statements. */
export class Names {
  readonly #names = new Map<string, string>();
  #given = 0;

  /** The name of `text`, or undefined for one too many. */
  of(text: string): string | undefined {
    if (!this.#names.has(text) && this.#names.size < MAX_PREPARED) this.#give(text);
    return this.#names.get(text);
  }

  /** Another name than `name` for `text`, which forces a new plan, unless it has one by now. */
  renew(text: string, name: string): void {
    if (this.#names.get(text) === name) this.#give(text);
  }

  #give(text: string): void {
    this.#names.set(text, `q${this.#given++}`);
  }
}

/** SQLSTATE when a newer instance altered a table used by one of our cached plans. */
export const OUTDATED_PLAN = '0A000';

/** Makes a connection prepare what it is asked, and gives it up when the server is silent for `silence` milliseconds. */
export function configureQueries(client: pg.PoolClient, names: Names, silence?: number): void {
  const send = client.query.bind(client) as (config: object) => Promise<pg.QueryResult>;
  const ask = (config: pg.QueryConfig) =>
    untimed.getStore() || !silence
      ? send(config)
      : send({ ...config, query_timeout: silence }).catch((error: Error) => {
          // With a statement still running this closes the socket at once; the pool then drops the connection.
          if (error.message === 'Query read timeout') void (client as pg.PoolClient & Pick<pg.Client, 'end'>).end().catch(() => {});
          throw error;
        });
  client.query = ((text: string, values?: unknown[]) => {
    if (!values?.length || text.includes(MARK)) return ask({ text, ...(values ? { values } : {}) });
    const name = names.of(text);
    if (!name) return ask({ text, values });
    return ask({ name, text, values }).catch((error: { code?: string }) => {
      if (error.code !== OUTDATED_PLAN) throw error;
      // Inside a transaction, now aborted, it takes effect when that is retried.
      names.renew(text, name);
      return ask({ text, values }).catch(() => {
        throw error;
      });
    });
  }) as typeof client.query;
}
