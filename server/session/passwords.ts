import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Db, Tx } from '../db/open.ts';
import { isGuessablePassword } from '../kit/common-passwords.ts';
import { DomainError, invalid } from '../kit/errors.ts';
import { readSettings } from '../settings/settings.ts';
import { inPasswordQueue } from './password-queue.ts';

const argon2Async = promisify(argon2);
/** OWASP's second recommended setting: 19 MiB and two passes. Only tests change it. */
export const COST = { memory: 19456, passes: 2, parallelism: 1, tagLength: 32 };

// Each derivation holds a pool thread and 19 MiB. A person waits here with at most one derivation (password-queue.ts).
const MAX_RUNNING = 2;
const MAX_WAITING = 200;
let running = 0;
const waiting: (() => void)[] = [];

async function derive(password: string, cost: Omit<Parameters<typeof argon2Async>[1], 'message'>): Promise<Buffer> {
  if (running >= MAX_RUNNING) {
    if (waiting.length >= MAX_WAITING)
      throw new DomainError(503, 'Hay demasiados accesos a la vez. Inténtalo de nuevo en unos segundos.', {
        headers: { 'retry-after': '2' },
      });
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running += 1;
  try {
    return await argon2Async('argon2id', { ...cost, message: Buffer.from(password.normalize('NFKC')) });
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** Returns an Argon2id hash in PHC notation. Hashes one password at a time per `actor` (an id). */
export async function hashPassword(password: string, actor = 'sistema'): Promise<string> {
  const nonce = randomBytes(16);
  return inPhc(nonce, await inPasswordQueue([actor], () => derive(password, { ...COST, nonce })));
}

const inPhc = (nonce: Buffer, tag: Buffer) =>
  `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(nonce)}$${base64(tag)}`;

/** True if `password` matches; takes equally long without `hash`, so that timing reveals no accounts. Call it inside `inPasswordQueue`. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  // A random tag is cheap to make and as costly to compare as a real one.
  const [, , , params, nonce, tag] = (hash ?? inPhc(randomBytes(16), randomBytes(COST.tagLength))).split('$');
  const numbers = /m=(\d+),t=(\d+),p=(\d+)/.exec(params ?? '');
  if (!numbers || !nonce || !tag) throw new Error('unreadable password hash');
  const expected = Buffer.from(tag, 'base64');
  const actual = await derive(password, {
    nonce: Buffer.from(nonce, 'base64'),
    memory: Number(numbers[1]),
    passes: Number(numbers[2]),
    parallelism: Number(numbers[3]),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected) && hash !== undefined;
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** Throws 422 for common passwords and names of the person or shop. */
export async function refuseGuessablePassword(
  db: Db | Tx,
  password: string,
  person: { full_name?: string; email?: string; username?: string | null },
): Promise<void> {
  if (isGuessablePassword(password)) throw invalid('password', 'Esa contraseña es demasiado común: elige otra');
  const { companyName } = await readSettings(db);
  const about = [person.full_name, person.email?.split('@')[0], person.username, companyName].filter((text) => typeof text === 'string');
  if (isGuessablePassword(password, about))
    throw invalid('password', 'Esa contraseña se adivina con el nombre de la persona o de la tienda: elige otra');
}
