import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { storedEmail } from '../../contract/text/email.ts';
import { isLoopback } from '../../contract/text/loopback.ts';
import { storeFile } from '../db/keep-file.ts';
import { SSL_MODES } from '../db/wait-for-database.ts';
import { isGuessablePassword } from './common-passwords.ts';
import { misspeltNames } from './misspelt.ts';
import { checkFolder, settingError } from './start.ts';

/** Schema of an http(s) URL in the variable `what`. */
export const urlVariable = (what: string) => z.url({ protocol: /^https?$/, error: `${what} debe ser una dirección http(s) completa` });

type Env = Record<string, string | undefined>;
/** Reads variables into a value. Adds a Spanish sentence to `problems` for each error. */
export type Reader<T> = (env: Env, problems: string[]) => T;

/** Reads variables that belong together. Returns undefined unless all of `required` are set, and adds a problem if only some are. */
export function readTogether<R extends z.ZodRawShape, O extends z.ZodRawShape, T>(
  required: R,
  optional: O,
  make: (env: z.output<z.ZodObject<R & O>>) => T,
): Reader<T | undefined> {
  const schema = z.object({ ...required, ...optional });
  const names = Object.keys(required);
  return (env, problems) => {
    const missing = names.filter((name) => env[name] === undefined);
    const { data, error } = (missing.length ? schema.partial() : schema).safeParse(env);
    problems.push(...sentences(error));
    if (missing.length > 0 && missing.length < names.length)
      problems.push(`${names.join(' y ')} van juntos: falta ${missing.join(' y ')}.`);
    return data && !missing.length ? make(data as z.output<z.ZodObject<R & O>>) : undefined;
  };
}

const MIN_SECRET = 32;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

const HOST_NAME = /^(?=.*[a-z])[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;
const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

function isNetwork(text: string): boolean {
  const [address = '', length, ...more] = text.split('/');
  if (NAMED_NETWORKS.includes(text)) return true;
  const version = isIP(address);
  // Refuses a zero prefix length, which would trust every address.
  return (
    version > 0 &&
    more.length === 0 &&
    (length === undefined || (/^[1-9]\d*$/.test(length) && Number(length) <= (version === 4 ? 32 : 128)))
  );
}

// Accepts malformed URLs, which another check reports.
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, pathname, search, hash } = new URL(text);
  return !username && /^\/*$/.test(pathname) && !search && !hash;
}

const hasKnownSslMode = (address: string) =>
  !URL.canParse(address) || SSL_MODES.includes(new URL(address).searchParams.get('sslmode') ?? 'disable');

const port = (what: string, least: 0 | 1, hint = '') => {
  const range = `${what} debe estar entre ${least} y 65535${hint}`;
  const whole = z.coerce.number(`${what} debe ser un número`).int(`${what} debe ser un número entero`);
  return whole.min(least, range).max(65535, range);
};
const host = (what: string) =>
  z
    .string()
    .refine((name) => isIP(name) > 0 || HOST_NAME.test(name), `${what} debe ser una dirección IP o un nombre, sin puerto ni http://`)
    .default('127.0.0.1');

const schema = z.object({
  PORT: port('PORT', 0).default(3000),
  HOST: host('HOST'),
  DATA_DIR: z.string().optional(),
  BACKUP_DIR: z.string().optional(),
  FILES_DIR: z.string().optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'DATABASE_URL debe empezar por postgres://')
    .refine((address) => URL.canParse(address), 'DATABASE_URL no se entiende: los signos raros de la contraseña se escriben %XX')
    .refine(hasKnownSslMode, `sslmode debe ser ${SSL_MODES.join(', ')}`)
    .optional(),
  PUBLIC_URL: urlVariable('PUBLIC_URL')
    .refine(isOrigin, 'PUBLIC_URL debe ser solo el origen, sin ruta: por ejemplo, https://pedidos.tienda.es')
    .optional(),
  SECRET_KEY: z.string().min(MIN_SECRET, `SECRET_KEY debe tener al menos ${MIN_SECRET} caracteres`).optional(),
  /** Port of `GET /metrics`; without this variable there are no metrics. */
  METRICS_PORT: port('METRICS_PORT', 1, ': sin la variable no hay métricas').optional(),
  /** Address to listen on for metrics, for example so that another container can scrape them. */
  METRICS_HOST: host('METRICS_HOST'),
  /** URL to request each minute while all is well. */
  HEARTBEAT_URL: urlVariable('HEARTBEAT_URL').optional(),
  /** Comma-separated CIDR list of proxies whose X-Forwarded-For is trusted. */
  TRUST_PROXY: z
    .string()
    .transform((list) => list.split(',').map((part) => part.trim()))
    .refine(
      (list) => list.every(isNetwork),
      'TRUST_PROXY debe ser una lista de direcciones o redes, como 10.0.0.0/8, o loopback, linklocal o uniquelocal, separadas por comas',
    )
    .optional(),
  /** Allows webhooks over http and into the private network. */
  WEBHOOKS_PRIVATE: z.enum(['0', '1'], 'WEBHOOKS_PRIVATE debe ser 1 o 0').default('0'),
  LOG_LEVEL: z.enum(LOG_LEVELS, `LOG_LEVEL debe ser ${LOG_LEVELS.join(', ')}`).default('warn'),
});

const superadmin = readTogether(
  {
    SUPERADMIN_EMAIL: z.string().overwrite(storedEmail).pipe(z.email('SUPERADMIN_EMAIL no es un e-mail válido')),
    SUPERADMIN_PASSWORD: z
      .string()
      .min(6, 'SUPERADMIN_PASSWORD debe tener al menos 6 caracteres')
      .refine((password) => !isGuessablePassword(password), 'SUPERADMIN_PASSWORD es una contraseña demasiado común: elige otra'),
  },
  {},
  (e) => ({ email: e.SUPERADMIN_EMAIL.toLowerCase(), password: e.SUPERADMIN_PASSWORD }),
);

const s3 = readTogether(
  {
    S3_ENDPOINT: urlVariable('S3_ENDPOINT'),
    S3_BUCKET: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'S3_BUCKET no es el nombre de un bucket'),
    S3_ACCESS_KEY_ID: z.string(),
    S3_SECRET_KEY: z.string(),
  },
  { S3_REGION: z.string().optional() },
  (e) => ({
    endpoint: e.S3_ENDPOINT,
    bucket: e.S3_BUCKET,
    region: e.S3_REGION ?? 'auto',
    accessKeyId: e.S3_ACCESS_KEY_ID,
    secretAccessKey: e.S3_SECRET_KEY,
  }),
);

export type Config = {
  port: number;
  host: string;
  metricsPort: number | undefined;
  metricsHost: string;
  heartbeatUrl: string | undefined;
  dataDir: string;
  /** Folder of the backups, shared by all instances. */
  backupDir: string;
  /** Folder of signatures and photos, shared by all instances. Unused if `s3` is set. */
  filesDir: string;
  s3: { endpoint: string; bucket: string; region: string; accessKeyId: string; secretAccessKey: string } | undefined;
  databaseUrl: string | undefined;
  publicUrl: string | undefined;
  secretKey: string;
  superadmin: { email: string; password: string } | undefined;
  trustProxy: string[] | false;
  webhooksPrivate: boolean;
  logLevel: string;
  demo: boolean;
  /** Spanish sentences about ignored variables with probably misspelt names. */
  misspelt: string[];
};

/** Reads the environment. Throws a Spanish message naming the bad variables. The demo has its own database (design, section 4.17). */
export function readConfigWith<T>(more: Reader<T>, env: NodeJS.ProcessEnv, demo: boolean): Config & T {
  const problems: string[] = [];
  const { read, asked } = noting(withFiles(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')), problems));
  const { data: e, error } = schema.safeParse(read);
  problems.push(...sentences(error));
  const parts = { superadmin: superadmin(read, problems), s3: s3(read, problems), ...more(read, problems) };
  if (e?.METRICS_PORT && e.METRICS_PORT === e.PORT)
    problems.push(`METRICS_PORT: ${e.PORT} ya es PORT: elige otro puerto para las métricas.`);
  const ignored = misspeltNames(Object.keys(read), [...asked, ...OF_COMMANDS]);
  const listed = [...problems, ...ignored].map((problem) => `  - ${problem}`).join('\n');
  if (!e || problems.length) throw settingError(`Configuración no válida:\n${listed}`);
  if (demo && e.DATABASE_URL) throw settingError('La demostración usa su propia base de datos: quita DATABASE_URL.');
  if (e.DATABASE_URL && !e.SECRET_KEY)
    throw settingError(
      ['Con DATABASE_URL hace falta SECRET_KEY (al menos 32 caracteres), la misma en todas las instancias.', ...ignored].join('\n'),
    );
  const dataDir = resolve(demo ? (e.DATA_DIR ?? './demo-data') : (e.DATA_DIR ?? './data'));
  return {
    port: e.PORT,
    host: e.HOST,
    metricsPort: e.METRICS_PORT,
    metricsHost: e.METRICS_HOST,
    heartbeatUrl: e.HEARTBEAT_URL,
    dataDir,
    backupDir: resolve(e.BACKUP_DIR ?? join(dataDir, 'copias')),
    filesDir: resolve(e.FILES_DIR ?? join(dataDir, 'pruebas')),
    databaseUrl: e.DATABASE_URL,
    publicUrl: e.PUBLIC_URL?.replace(/\/+$/, ''),
    secretKey: e.SECRET_KEY ?? keptSecret(dataDir),
    trustProxy: e.TRUST_PROXY ?? false,
    webhooksPrivate: e.WEBHOOKS_PRIVATE === '1',
    logLevel: e.LOG_LEVEL,
    demo,
    misspelt: ignored,
    ...parts,
  };
}

/** Variables that commands read from `process.env`. */
const OF_COMMANDS = ['BACKUP_KEY'];

/** Records the names of the variables that are read, which are the known names. */
function noting(env: Env): { read: Env; asked: Set<string> } {
  const asked = new Set<string>();
  const note = (name: string | symbol) => typeof name === 'string' && asked.add(name);
  const read = new Proxy(env, {
    get: (target, name) => {
      note(name);
      return Reflect.get(target, name);
    },
  });
  return { read, asked };
}

const SECRET_FILE = /^(DATABASE_URL|[A-Z_]+_(?:KEY|SECRET|PASSWORD))_FILE$/;

/** Reads secrets from the files whose paths `NAME_FILE` variables give, as is usual with containers and systemd. */
function withFiles(env: Env, problems: string[]): Env {
  const read = Object.entries(env).flatMap(([variable, path]) => {
    const [, name] = SECRET_FILE.exec(variable) ?? [];
    if (!name || !path) return [];
    if (env[name] !== undefined) problems.push(`${name} y ${variable} no pueden darse a la vez.`);
    try {
      return [[name, readFileSync(path, 'utf8').trim()]];
    } catch (error) {
      problems.push(`${variable}: no se puede leer ${path} (${(error as NodeJS.ErrnoException).code ?? String(error)}).`);
      return [];
    }
  });
  return { ...env, ...Object.fromEntries(read) };
}

const sentences = (error: z.ZodError | undefined) =>
  (error?.issues ?? []).map(({ path, message }) => (message.startsWith(path.join('.')) ? message : `${path.join('.')}: ${message}`));

function keptSecret(dataDir: string): string {
  const path = join(dataDir, 'secret.key');
  if (!existsSync(path)) checkFolder('DATA_DIR', dataDir);
  const secret = kept(path).trim();
  if (secret.length < MIN_SECRET)
    throw settingError(
      `${path} está vacío o incompleto: debe tener al menos ${MIN_SECRET} caracteres. Recupéralo de tu copia; si no la tienes, bórralo y se creará otro (habrá que poner de nuevo lo que cifraba: contraseña del correo, claves y segundos factores).`,
    );
  return secret;
}

function kept(path: string): string {
  try {
    return storeFile(path, () => randomBytes(32).toString('hex'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    throw new Error(
      `${path} es de otro usuario, y este no lo puede leer. Como root, cualquier orden lo arregla («doctor», por ejemplo), o: chown --reference=${join(path, '..')} ${path}`,
      { cause: error },
    );
  }
}

/** Returns the public address, unless only this machine opens it. */
export const sharedUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>): string | undefined =>
  publicUrl && !isLoopback(new URL(publicUrl).hostname) ? publicUrl : undefined;
