import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

/** An http(s) URL, read from the variable `what`. */
export const url = (what: string) => z.url({ protocol: /^https?$/, error: `${what} debe ser una dirección http(s) completa` });

type Env = Record<string, string | undefined>;
/** Reads some variables into a value; on errors adds Spanish sentences to `problems`. */
export type Part<T> = (env: Env, problems: string[]) => T;

/** Reads variables that go together: undefined unless every `required` one is set, a problem if only some are. */
export function together<R extends z.ZodRawShape, O extends z.ZodRawShape, T>(
  required: R,
  optional: O,
  make: (env: z.output<z.ZodObject<R & O>>) => T,
): Part<T | undefined> {
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

const schema = z.object({
  PORT: z.coerce
    .number('PORT debe ser un número')
    .int('PORT debe ser un número entero')
    .min(0)
    .max(65535, 'PORT debe estar entre 0 y 65535')
    .default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().optional(),
  BACKUP_DIR: z.string().optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'DATABASE_URL debe empezar por postgres://')
    .optional(),
  PUBLIC_URL: url('PUBLIC_URL').optional(),
  SECRET_KEY: z.string().min(32, 'SECRET_KEY debe tener al menos 32 caracteres').optional(),
  /** Comma-separated CIDR list of proxies whose X-Forwarded-For is trusted. */
  TRUST_PROXY: z.string().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('warn'),
});

const superadmin = together(
  {
    SUPERADMIN_EMAIL: z.email('SUPERADMIN_EMAIL no es un e-mail válido'),
    SUPERADMIN_PASSWORD: z.string().min(6, 'SUPERADMIN_PASSWORD debe tener al menos 6 caracteres'),
  },
  {},
  (e) => ({ email: e.SUPERADMIN_EMAIL.toLowerCase(), password: e.SUPERADMIN_PASSWORD }),
);

export type Config = {
  port: number;
  host: string;
  dataDir: string;
  /** Folder of the backups; must be shared by every instance. */
  backupDir: string;
  databaseUrl: string | undefined;
  publicUrl: string | undefined;
  secretKey: string;
  superadmin: { email: string; password: string } | undefined;
  trustProxy: string[] | false;
  logLevel: string;
  demo: boolean;
};

/**
 * Reads the environment once; `more` reads the variables of features. Throws one Spanish message naming every
 * bad variable. The demo uses its own folder and refuses any other database (design, section 4.17).
 */
export function readConfigWith<T>(more: Part<T>, env: NodeJS.ProcessEnv, demo: boolean): Config & T {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const problems: string[] = [];
  const { data: e, error } = schema.safeParse(given);
  problems.push(...sentences(error));
  const parts = { superadmin: superadmin(given, problems), ...more(given, problems) };
  if (!e || problems.length) throw new Error(`Configuración no válida:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  if (demo && e.DATABASE_URL) throw new Error('La demostración usa su propia base de datos: quita DATABASE_URL.');
  if (e.DATABASE_URL && !e.SECRET_KEY)
    throw new Error('Con DATABASE_URL hace falta SECRET_KEY (al menos 32 caracteres), la misma en todas las instancias.');
  const dataDir = resolve(demo ? (e.DATA_DIR ?? './demo-data') : (e.DATA_DIR ?? './data'));
  return {
    port: e.PORT,
    host: e.HOST,
    dataDir,
    backupDir: resolve(e.BACKUP_DIR ?? join(dataDir, 'copias')),
    databaseUrl: e.DATABASE_URL,
    publicUrl: e.PUBLIC_URL?.replace(/\/+$/, ''),
    secretKey: e.SECRET_KEY ?? keptSecret(dataDir),
    trustProxy: e.TRUST_PROXY ? e.TRUST_PROXY.split(',').map((s) => s.trim()) : false,
    logLevel: e.LOG_LEVEL,
    demo,
    ...parts,
  };
}

const sentences = (error: z.ZodError | undefined) => (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);

function keptSecret(dataDir: string): string {
  const path = join(dataDir, 'secret.key');
  if (!existsSync(path)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    try {
      writeFileSync(path, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return readFileSync(path, 'utf8').trim();
}
