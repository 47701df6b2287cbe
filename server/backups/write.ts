import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { sql } from 'kysely';
import { firstContradiction } from '../cuadre/run.ts';
import { syncFolder } from '../db/keep-file.ts';
import { type Db, onSnapshot, type Tx } from '../db/open.ts';
import { withoutTimeout } from '../db/pool.ts';
import { conflict } from '../kit/errors.ts';
import { fingerprint } from '../kit/secrets.ts';
import { encryptChunks, type Key } from './encrypt.ts';
import {
  createDigest,
  type Digests,
  damagedBackup,
  FORMAT,
  firstDifference,
  type Header,
  type OnLines,
  readBackup,
  type Trailer,
} from './format.ts';
import type { Advance } from './progress.ts';
import {
  countTable,
  foreignKeys,
  type Holding,
  keptTables,
  passingTables,
  selectLines,
  type Table,
  type Tally,
  tallyTables,
} from './tables.ts';
import { runWorker } from './worker.ts';

/** File size in bytes, number of rows in all tables, SHA-256 of the file, and digests of the tables as read. */
export type WrittenBackup = { size: number; filas: number; checksum: string; tables: Digests };

/** Pages of a table, including TOAST, that one statement reads. */
const BATCH_PAGES = 128;

/** Writes an encrypted backup to `path`, complete or not at all. Closes the snapshot before compressing: open snapshots hold back vacuum. */
export async function writeBackup(
  db: Db,
  path: string,
  options: { secretKey: string; key: Key; holding: Holding },
  advance: Advance = () => {},
): Promise<WrittenBackup> {
  const [lines, whole] = [`${path}.lines.tmp`, `${path}.tmp`];
  const hash = createHash('sha256');
  const written = { size: 0, filas: 0, tables: {} as Digests };
  const measure = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      written.size += chunk.length;
      yield chunk;
    }
  };
  try {
    await onSnapshot(db, (tx) => pipeline(everything(tx, options, written, advance), createWriteStream(lines, { mode: 0o600 })));
    const encrypted = (chunks: AsyncIterable<Buffer>) => encryptChunks(chunks, options.key);
    const { size: plain } = await stat(lines);
    const followed = async function* (chunks: AsyncIterable<Buffer>) {
      let read = 0;
      for await (const chunk of chunks) {
        advance('comprimiendo', (read += chunk.length), plain);
        yield chunk;
      }
    };
    await pipeline(
      createReadStream(lines),
      followed,
      createGzip(),
      encrypted,
      measure,
      createWriteStream(whole, { mode: 0o600, flush: true }),
    );
    await rename(whole, path);
    // A power cut can undo the rename until the folder is synced.
    syncFolder(dirname(path));
  } finally {
    await rm(whole, { force: true });
    await rm(lines, { force: true });
  }
  return { ...written, checksum: hash.digest('hex') };
}

/** `firstContradiction`: a Spanish clause naming totals that disagree in the data, if any. */
export type Checked = WrittenBackup & { contradiction: string | undefined };

export async function writeChecked(db: Db, ...asked: Rest<Parameters<typeof writeBackup>>): Promise<Checked> {
  const written = await writeBackup(db, ...asked);
  return { ...written, contradiction: await onSnapshot(db, (tx) => withoutTimeout(tx, () => firstContradiction(tx))) };
}
type Rest<T extends unknown[]> = T extends [unknown, ...infer R] ? R : never;

export type Aside = Parameters<typeof writeBackup>[2] & { path: string; url: string };

/** Writes a backup in a child process, so that the memory is freed. Returns a failure as a Spanish sentence; throws a Spanish clause if the process is killed. */
export const writeAside = (asked: Aside, advance: Advance): Promise<{ done: Checked } | { problem: string }> =>
  runWorker<Checked>(new URL('./write.worker.ts', import.meta.url), asked, advance);

async function* everything(
  tx: Tx,
  { secretKey, holding }: { secretKey: string; holding: Holding },
  written: Pick<WrittenBackup, 'filas' | 'tables'>,
  advance: Advance,
): AsyncGenerator<string | Buffer> {
  const { rows } = await sql<{ migration: string; engine: string }>`
    SELECT name AS migration, version() AS engine FROM kysely_migration ORDER BY name DESC LIMIT 1`.execute(tx);
  const [found] = rows;
  if (!found) throw new Error('the database has not been migrated');
  const header: Header = { enruta: FORMAT, ...found, created_at: new Date().toISOString(), key: fingerprint(secretKey) };
  yield `${JSON.stringify(header)}\n`;
  const tables = await keptTables(tx, holding);
  // Counts the rows separately, to detect unread pages.
  const { total, of } = await withoutTimeout(tx, () => countTable(tx, tables));
  for (const table of tables) {
    yield `${JSON.stringify(['table', table.name, table.columns])}\n`;
    const digest = createDigest();
    for await (const { rows: count, text } of batchesOf(tx, table)) {
      yield digest.add(count, text);
      written.filas += count;
      advance('leyendo', written.filas, total);
    }
    const done = digest.done();
    if (done.rows !== of.get(table.name))
      throw damagedBackup(`de ${table.name} se leyeron ${done.rows} filas y tiene ${of.get(table.name) ?? 0}`);
    written.tables[table.name] = done;
  }
  yield `${JSON.stringify(['end', written.tables] satisfies Trailer)}\n`;
}

// Aggregating each page range takes half as long as reading row by row. Pages added later have no rows that this snapshot sees.
async function* batchesOf(tx: Tx, table: Table): AsyncGenerator<{ rows: number; text: string }> {
  const { rows: sizes } = await sql<{ pages: number; share: number }>`
    SELECT pg_relation_size(c) / current_setting('block_size')::int AS pages, pg_relation_size(c)::float8 / greatest(pg_table_size(c), 1) AS share
    FROM (SELECT ${table.name}::regclass AS c) t`.execute(tx);
  const { pages, share } = sizes[0] ?? { pages: 0, share: 1 };
  const step = Math.max(1, Math.ceil(BATCH_PAGES * share));
  for (let page = 0; page < pages; page += step) {
    const { rows } = await sql<{ rows: number; text: string | null }>`
      SELECT count(*) AS rows, string_agg(line, E'\n') AS text FROM (${selectLines(table, { from: page, to: page + step })}) l`.execute(tx);
    const [batch] = rows;
    if (batch?.text) yield { rows: batch.rows, text: `${batch.text}\n` };
  }
}

/**
 * Replaces all tables with the file at `path`, which ends every session. Returns the number of rows. Throws, rolling back, unless all rows
 * match. `tx` must be at the file's migration; without `holding` its database must be a scratch database.
 */
export const loadBackup = (tx: Tx, path: string, secret: string, holding?: Holding, onLines: OnLines = () => {}): Promise<number> =>
  withoutTimeout(tx, () => replaceTables(tx, path, secret, holding, onLines));

async function replaceTables(tx: Tx, path: string, secret: string, holding: Holding | undefined, onLines: OnLines): Promise<number> {
  const here = await keptTables(tx, holding);
  const names = here.map(({ name }) => sql.table(name));
  const passing = holding ? (await passingTables(tx, holding)).map((name) => sql.table(name)) : [];
  // Triggers would count the totals twice and forbid replacing the audit log. Disabling them needs the tables' owner;
  // session_replication_role would need a superuser.
  for (const name of names) await sql`ALTER TABLE ${name} DISABLE TRIGGER USER`.execute(tx);
  await sql`TRUNCATE ${sql.join([...names, ...passing])}`.execute(tx);

  const loaded: Table[] = [];
  const parts = readBackup(path, secret);
  let written: Tally = {};
  try {
    let part = await parts.next();
    for (; !part.done; part = await parts.next()) {
      if ('table' in part.value) loaded.push(known(part.value.table, here));
      if ('lines' in part.value) {
        await insert(tx, loaded.at(-1), part.value.lines);
        onLines(part.value.lines.length);
      }
    }
    written = part.value;
  } finally {
    await parts.return({});
  }

  await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(tx);
  for (const name of names) await sql`ALTER TABLE ${name} ENABLE TRIGGER USER`.execute(tx);
  const wrong = firstDifference(await tallyTables(tx, loaded), written);
  if (wrong) throw damagedBackup(`al cargarla, ${wrong} no tiene lo que se guardó`);
  return Object.values(written).reduce((all, { rows }) => all + rows, 0);
}

function known(table: Table, here: Table[]): Table {
  const columns = here.find(({ name }) => name === table.name)?.columns;
  const strange = columns ? table.columns.find((column) => !columns.includes(column)) : table.name;
  if (strange !== undefined) throw conflict(`La copia trae algo que esta versión de Enruta no conoce: ${table.name}`);
  return table;
}

async function insert(tx: Tx, table: Table | undefined, lines: string[]): Promise<void> {
  if (!table) throw new Error('rows come after their table');
  const [name, columns] = [sql.table(table.name), foreignKeys(table.columns)];
  await sql`INSERT INTO ${name} (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::${name}, ${`[${lines.join(',')}]`}::json)`.execute(tx);
}
