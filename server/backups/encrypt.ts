import { argon2, createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { conflict } from '../kit/errors.ts';

/*
 * An encrypted backup is a line `enruta-copia-cifrada 1 {"clave", "salt", "check"}` and blocks of 64 KiB, each with a 16-byte tag
 * (AES-256-GCM). A nonce has the block's number and a flag for the last block. Removed, repeated, moved or missing blocks therefore fail
 * to decrypt. Each file has its own key: Argon2id of passphrase or SECRET_KEY with the file's salt (docs/decisions/010). The continuous
 * archive uses HKDF instead, because its random key needs no stretching.
 */
const MAGIC = 'enruta-copia-cifrada 1 ';
const BLOCK = 64 * 1024;
const TAG = 16;
const MAX_LINE = 512;
const COST = { memory: 65536, passes: 3, parallelism: 1, tagLength: 32 };

/** Secret that encrypts a backup: passphrase of the settings, `SECRET_KEY`, or the random key of the continuous archive. */
export type Key = { secret: string; clave: 'passphrase' | 'SECRET_KEY' | 'archivo' };
type Lock = { clave: Key['clave']; salt: string; check: string };

const WRONG: Record<Key['clave'], string> = {
  passphrase: 'La copia está cifrada con la contraseña de las copias: ponla en BACKUP_KEY',
  SECRET_KEY: 'La copia está cifrada con otra SECRET_KEY: pon la de entonces en BACKUP_KEY',
  archivo: 'El fichero es de otro archivo continuo',
};

export async function* encryptChunks(chunks: AsyncIterable<Buffer>, { secret, clave }: Key): AsyncGenerator<Buffer> {
  const salt = randomBytes(16).toString('base64url');
  const { key, check } = await derive(secret, salt, clave);
  yield Buffer.from(`${MAGIC}${JSON.stringify({ clave, salt, check } satisfies Lock)}\n`);
  let index = 0;
  for await (const { block, last } of blocksOf(chunks, BLOCK)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(index++, last));
    yield Buffer.concat([cipher.update(block), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Reads and decrypts a file. Throws 409 for a file of another origin or secret, an error with code `ALTERED` if it is damaged. */
export async function* decryptFile(path: string, secret: string): AsyncGenerator<Buffer> {
  const start = await startOf(path);
  if (!start.startsWith(MAGIC)) throw conflict('El archivo no es una copia de seguridad de Enruta: las suyas están cifradas');
  const end = start.indexOf('\n');
  const lock = parse(start.slice(MAGIC.length, end));
  if (end < 0 || !lock) throw altered();
  const { key, check } = await derive(secret, lock.salt, lock.clave);
  if (check !== lock.check) throw conflict(WRONG[lock.clave] ?? WRONG.SECRET_KEY);
  let index = 0;
  for await (const { block, last } of blocksOf(createReadStream(path, { start: end + 1 }), BLOCK + TAG)) {
    if (block.length < TAG) throw altered();
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(index++, last));
    decipher.setAuthTag(block.subarray(-TAG));
    const plain = decipher.update(block.subarray(0, -TAG));
    try {
      decipher.final();
    } catch {
      throw altered();
    }
    yield plain;
  }
}

const altered = () => Object.assign(new Error('the encrypted file was altered'), { code: 'ALTERED' });

function nonceOf(index: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 5, 6);
  nonce[0] = last ? 1 : 0;
  return nonce;
}

async function* blocksOf(chunks: AsyncIterable<Buffer>, size: number): AsyncGenerator<{ block: Buffer; last: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    let at = 0;
    for (; rest.length - at > size; at += size) yield { block: rest.subarray(at, at + size), last: false };
    rest = rest.subarray(at);
  }
  yield { block: rest, last: true };
}

const argon = promisify(argon2);
type Derived = { key: Buffer; check: string };
/** Caches the last key: a restore reads the file twice, to verify and to load. */
let last: { of: string; derived: Promise<Derived> } | undefined;

async function derive(secret: string, salt: string, clave: Key['clave']): Promise<Derived> {
  if (clave === 'archivo') return partsOf(Buffer.from(secret + salt));
  const of = JSON.stringify([secret, salt]);
  if (last?.of !== of) last = { of, derived: stretch(secret, salt) };
  return last.derived;
}

async function stretch(secret: string, salt: string): Promise<Derived> {
  const input = { message: Buffer.from(secret.normalize('NFKC')), nonce: Buffer.from(salt, 'base64url') };
  return partsOf(await argon('argon2id', { ...COST, ...input }));
}

function partsOf(master: Buffer): Derived {
  const part = (info: string, bytes: number) => Buffer.from(hkdfSync('sha256', master, '', info, bytes));
  return { key: part('enruta copia', 32), check: part('enruta copia check', 12).toString('base64url') };
}

async function startOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_LINE), 0, MAX_LINE, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function parse(line: string): Lock | undefined {
  try {
    const lock = JSON.parse(line);
    return typeof lock?.salt === 'string' && lock.salt.length >= 11 ? lock : undefined;
  } catch {
    return undefined;
  }
}
