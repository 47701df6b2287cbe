import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline as pipe, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip } from 'node:zlib';
import { conflict, type DomainError } from '../kit/errors.ts';
import { decryptFile } from './encrypt.ts';
import type { Table, Tally } from './tables.ts';

/*
 * A backup is gzipped text, encrypted (encrypt.ts): a header line; per table a line `["table", name, columns]` and one line per row, as
 * row_to_json writes it; a last line `["end", rows and digest by table]`. Rows begin with `{`, table lines and the last line with `[`.
 */

/** Bump when the format becomes incompatible. */
export const FORMAT = 1;

/** `migration`: last migration of the source database. `key`: fingerprint of its `SECRET_KEY`. */
export type Header = { enruta: number; migration: string; engine: string; created_at: string; key: string };
/** Row count and SHA-256 of the lines of each table, in file order. */
export type Digests = Record<string, { rows: number; sha256: string }>;
export type Trailer = ['end', Digests];
export type BackupLine = { header: Header } | { table: Table } | { lines: string[] } | { end: Digests };

export function createDigest() {
  const sum = createHash('sha256');
  let all = 0;
  let sha256: string | undefined;
  return {
    add: (rows: number, text: string): Buffer => {
      const bytes = Buffer.from(text);
      sum.update(bytes);
      all += rows;
      return bytes;
    },
    done: () => ({ rows: all, sha256: (sha256 ??= sum.digest('hex')) }),
  };
}

/** Returns the value that a line adds to its table's sum: the first 60 bits of its MD5. `tallyOf` computes the same in SQL. */
const shareOf = (line: string): bigint => BigInt(`0x${hash('md5', line).slice(0, 15)}`);

const BATCH_LINES = 1000;
const BATCH_CHARS = 1_000_000;

export const damagedBackup = (why: string): DomainError => conflict(`La copia está dañada: ${why}`);
const NOT_OURS = 'El archivo no es una copia de seguridad de Enruta';

/** Decrypts and streams a file; returns the tally of the tables. Throws 409 in Spanish on damage, possibly after yielding lines. */
export async function* readBackup(path: string, secret: string): AsyncGenerator<BackupLine, Tally> {
  const tally: Tally = {};
  const digests: Digests = {};
  let header: Header | undefined;
  let end: Digests | undefined;
  let table: { name: string; sum: bigint; digest: ReturnType<typeof createDigest> } | undefined;
  let lines: string[] = [];
  let chars = 0;
  const take = (): BackupLine => {
    for (const line of lines) if (table) table.sum += shareOf(line);
    table?.digest.add(lines.length, `${lines.join('\n')}\n`);
    const part = { lines };
    [lines, chars] = [[], 0];
    return part;
  };
  for await (const line of linesIn(path, secret)) {
    if (!header) {
      header = headerOf(line);
      yield { header };
    } else if (end) throw damagedBackup('sigue después de su final');
    else if (line.startsWith('{')) {
      if (!table) throw damagedBackup('hay filas sin tabla');
      lines.push(line);
      chars += line.length;
      if (lines.length === BATCH_LINES || chars > BATCH_CHARS) yield take();
    } else {
      if (lines.length) yield take();
      if (table) {
        digests[table.name] = table.digest.done();
        tally[table.name] = { rows: table.digest.done().rows, sum: String(table.sum) };
      }
      const [kind, first, columns] = parse(line);
      if (kind === 'end') end = first as Digests;
      else if (kind === 'table' && typeof first === 'string' && Array.isArray(columns)) {
        table = { name: first, sum: 0n, digest: createDigest() };
        yield { table: { name: first, columns } };
      } else throw damagedBackup('tiene una línea que no se entiende');
    }
  }
  if (!header) throw conflict(NOT_OURS);
  if (!end) throw damagedBackup('está cortada');
  const wrong = firstDifference(digests, end);
  if (wrong) throw damagedBackup(`las filas de ${wrong} no son las que se guardaron`);
  yield { end };
  return tally;
}

/** Reads a whole file to detect damage; returns its header and the digests of its tables. Throws like `readBackup`. */
export async function inspectBackup(path: string, secret: string, onLines: OnRows = ignore): Promise<Header & { tables: Digests }> {
  let header: Header | undefined;
  let tables: Digests = {};
  let table = '';
  for await (const part of readBackup(path, secret)) {
    if ('header' in part) header = part.header;
    if ('table' in part) table = part.table.name;
    if ('lines' in part) onLines(part.lines.length, table, part.lines);
    if ('end' in part) tables = part.end;
  }
  if (!header) throw conflict(NOT_OURS);
  return { ...header, tables };
}

/** Called with the number of lines read since the last call. */
export type OnLines = (lines: number) => void;
/** Called with the rows of a table as they are read. */
type OnRows = (lines: number, table: string, rows: readonly string[]) => void;
const ignore: OnLines = () => {};

export function firstDifference(first: Tally | Digests, second: Tally | Digests): string | undefined {
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  return names.find((name) => !isDeepStrictEqual(first[name], second[name]));
}

export async function fileChecksum(path: string): Promise<string> {
  const sum = createHash('sha256');
  await pipeline(createReadStream(path), sum);
  return sum.digest('hex');
}

function headerOf(line: string): Header {
  let found: Header | undefined;
  try {
    found = JSON.parse(line);
  } catch {
    throw conflict(NOT_OURS);
  }
  if (typeof found?.enruta !== 'number' || typeof found.migration !== 'string') throw conflict(NOT_OURS);
  if (found.enruta > FORMAT) throw conflict('La copia es de una versión más nueva de Enruta: actualiza el programa antes de restaurarla');
  return found;
}

function parse(line: string): unknown[] {
  try {
    const found: unknown = JSON.parse(line);
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

async function* linesIn(path: string, secret: string): AsyncGenerator<string> {
  const text = createGunzip().setEncoding('utf8');
  // Destroys both streams when either fails or the reader stops. The loop below receives the error.
  pipe(Readable.from(decryptFile(path, secret)), text, () => {});
  let rest = '';
  try {
    for await (const chunk of text) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EISDIR') throw conflict(`${path} es una carpeta: indica el archivo de la copia`);
    if (code === 'ENOENT') throw conflict(`No existe el archivo ${path}`);
    if (code === 'Z_DATA_ERROR' && /header/.test(message)) throw conflict(NOT_OURS);
    if (code === 'ALTERED') throw damagedBackup('su cifrado no es el que se escribió');
    if (code?.startsWith('Z_')) throw damagedBackup('no se puede descomprimir');
    throw error;
  }
  if (rest) yield rest;
}
