import { Duplex } from 'node:stream';
import type { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import type { Ended } from './copy.ts';
import { configureQueries, Names, TYPES } from './pool.ts';

/*
 * The embedded database behind node-postgres, the driver of PostgreSQL: one dialect, one set of types, and prepared statements,
 * which PGlite's own interface lacks (docs/decisions/032).
 */

/** A connection to `database` without a socket: what node-postgres writes is executed, what comes back is read. */
class Wire extends Duplex {
  readonly #database: PGlite;

  constructor(database: PGlite) {
    super();
    this.#database = database;
  }

  // What node-postgres asks of a socket.
  connect(): this {
    queueMicrotask(() => this.emit('connect'));
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.#execute(chunk).then(() => done(), done);
  }

  // The messages of one query come together, and are executed in one go.
  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error) => void): void {
    this.#execute(Buffer.concat(chunks.map(({ chunk }) => chunk))).then(() => done(), done);
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  async #execute(messages: Buffer): Promise<void> {
    const answer: Buffer[] = [];
    // As a stream, since PGlite reads and keeps whatever it returns. Copied: the bytes are its memory, which it uses again.
    await this.#database.execProtocolRawStream(messages, { onRawData: (bytes) => void answer.push(Buffer.from(bytes)) });
    if (answer.length > 0) this.push(Buffer.concat(answer));
  }
}

/** The only connection to an embedded database, for which everything waits as long as it takes. */
export function createEmbeddedPool(database: PGlite): pg.Pool {
  const pool = new pg.Pool({
    // Given, so that they are not taken from the environment.
    user: 'postgres',
    database: 'postgres',
    stream: () => new Wire(database),
    ssl: false,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 0,
    types: TYPES,
  });
  const names = new Names();
  pool.on('connect', (client) => configureQueries(client, names));
  return pool;
}

/** Listens on a channel of an embedded database; what was missed cannot be, as its only connection is never lost. */
export async function listenEmbedded(pool: pg.Pool, channel: string, onMessage: (payload: string) => void): Promise<() => Promise<void>> {
  const hear = (message: pg.Notification) => {
    if (message.channel === channel) onMessage(message.payload ?? '');
  };
  const client = await pool.connect();
  try {
    client.on('notification', hear);
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
  } finally {
    client.release();
  }
  return async () => void client.off('notification', hear);
}

/** Runs the text of a job's statement, which may be several; one that fails leaves no transaction open behind it. */
export async function runEmbedded(pool: pg.Pool, text: string, values?: unknown[]): Promise<pg.QueryResult> {
  const client = await pool.connect();
  try {
    return await client.query(text, values);
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

/** Runs `copying` between the start and the end of a backup of an embedded database, both of which take milliseconds. */
export async function backUpEmbedded(pool: pg.Pool, copying: () => Promise<void>): Promise<Ended> {
  const ask = async (text: string) => (await runEmbedded(pool, text)).rows[0] as Ended;
  const { first } = await ask("SELECT pg_walfile_name(pg_backup_start('enruta', fast => true)) AS first");
  // It ends whatever became of the copy: a session can have only one.
  const copied = await Promise.allSettled([copying()]);
  const ended = await ask('SELECT labelfile AS label, pg_walfile_name(lsn) AS last FROM pg_backup_stop(wait_for_archive => false)');
  for (const one of copied) if (one.status === 'rejected') throw one.reason;
  return { ...ended, first };
}
