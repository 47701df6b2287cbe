import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { DomainError, invalid } from '../kit/errors.ts';

const derive = promisify(argon2);
/** Cost of a hash: OWASP's second recommended setting, 19 MiB and two passes. Only tests change it. */
export const COST = { memory: 19456, passes: 2, parallelism: 1, tagLength: 32 };

// Each derivation holds a pool thread and 19 MiB, so limit them to two at a time and a short queue.
const MAX_RUNNING = 2;
const MAX_WAITING = 60;
let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_RUNNING) {
    if (waiting.length >= MAX_WAITING)
      throw new DomainError(503, 'Hay demasiados accesos a la vez. Inténtalo de nuevo en unos segundos.', {
        headers: { 'retry-after': '2' },
      });
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** Hashes with Argon2id, in PHC notation. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await inTurn(() => derive('argon2id', { ...COST, message: Buffer.from(password.normalize('NFKC')), nonce }));
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(nonce)}$${base64(tag)}`;
}

let decoy: Promise<string> | undefined;

/** True when `password` matches `hash`. Without a hash it takes equally long, so that timing reveals no accounts. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, , , params, nonce, tag] = (hash ?? (await (decoy ??= hashPassword('decoy')))).split('$');
  const numbers = /m=(\d+),t=(\d+),p=(\d+)/.exec(params ?? '');
  if (!numbers || !nonce || !tag) throw new Error('unreadable password hash');
  const expected = Buffer.from(tag, 'base64');
  const actual = await inTurn(() =>
    derive('argon2id', {
      message: Buffer.from(password.normalize('NFKC')),
      nonce: Buffer.from(nonce, 'base64'),
      memory: Number(numbers[1]),
      passes: Number(numbers[2]),
      parallelism: Number(numbers[3]),
      tagLength: expected.length,
    }),
  );
  return timingSafeEqual(actual, expected) && hash !== undefined;
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

// The most common entries of guessing lists, of six characters or more.
const COMMON = new Set(
  '123456 1234567 12345678 123456789 1234567890 111111 000000 123123 654321 666666 121212 112233 abc123 abcdef qwerty qwertyuiop qwerty123 password password1 passw0rd iloveyou admin123 administrador contraseña contrasena secreto letmein welcome monkey dragon 1q2w3e4r 1qaz2wsx asdfgh asdfghjkl zxcvbn superadmin enruta enruta123'.split(
    ' ',
  ),
);

/** Refuses the most commonly guessed passwords. */
export function refuseCommonPassword(password: string): void {
  if (COMMON.has(password.toLowerCase())) throw invalid('password', 'Esa contraseña es demasiado común: elige otra');
}
