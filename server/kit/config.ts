import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const url = (what: string) => z.url({ protocol: /^https?$/, error: `${what} debe ser una dirección http(s) completa` });

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
  SUPERADMIN_EMAIL: z.email('SUPERADMIN_EMAIL no es un e-mail válido').optional(),
  SUPERADMIN_PASSWORD: z.string().min(6, 'SUPERADMIN_PASSWORD debe tener al menos 6 caracteres').optional(),
  /** Comma-separated CIDR list of proxies whose X-Forwarded-For is believed. */
  TRUST_PROXY: z.string().optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_/, 'STRIPE_SECRET_KEY debe empezar por sk_ o rk_')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_/, 'STRIPE_WEBHOOK_SECRET debe empezar por whsec_')
    .optional(),
  /** Another Stripe than the real one: a simulator. */
  STRIPE_API_BASE: url('STRIPE_API_BASE').optional(),
  REDSYS_MERCHANT_CODE: z
    .string()
    .regex(/^\d{9}$/, 'REDSYS_MERCHANT_CODE debe tener nueve cifras')
    .optional(),
  REDSYS_TERMINAL: z
    .string()
    .regex(/^\d{1,3}$/, 'REDSYS_TERMINAL debe tener de una a tres cifras')
    .default('1'),
  REDSYS_SECRET_KEY: z.string().min(16, 'REDSYS_SECRET_KEY debe tener al menos 16 caracteres').optional(),
  REDSYS_URL: z.enum(['live', 'test'], 'REDSYS_URL debe ser live o test').default('live'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('warn'),
});

export type StripeConfig = { secretKey: string; webhookSecret: string; apiBase: string | undefined };
export type RedsysConfig = { merchantCode: string; terminal: string; secretKey: string; url: string };

const REDSYS = { live: 'https://sis.redsys.es/sis/realizarPago', test: 'https://sis-t.redsys.es:25443/sis/realizarPago' };

export type Config = {
  port: number;
  host: string;
  dataDir: string;
  /** Where the backups are kept; the same folder for every instance. */
  backupDir: string;
  databaseUrl: string | undefined;
  publicUrl: string | undefined;
  secretKey: string;
  superadmin: { email: string; password: string } | undefined;
  trustProxy: string[] | false;
  /** Each way of paying is offered only when it is set. */
  stripe: StripeConfig | undefined;
  redsys: RedsysConfig | undefined;
  logLevel: string;
  demo: boolean;
};

const TOGETHER = [
  ['SUPERADMIN_EMAIL', 'SUPERADMIN_PASSWORD'],
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['REDSYS_MERCHANT_CODE', 'REDSYS_SECRET_KEY'],
] as const;

/**
 * Reads the environment once. Throws one Spanish message naming every bad variable.
 * The demo has a folder of its own and refuses any other database (design, section 4.17).
 */
export function readConfig(env: NodeJS.ProcessEnv, demo = false): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    throw new Error(`Configuración no válida:\n${parsed.error.issues.map((i) => `  - ${i.path.join('.')}: ${i.message}`).join('\n')}`);
  }
  const e = parsed.data;
  if (demo && e.DATABASE_URL) throw new Error('La demostración usa su propia base de datos: quita DATABASE_URL.');
  for (const [one, other] of TOGETHER) {
    if (!e[one] !== !e[other]) throw new Error(`${one} y ${other} van juntos: falta ${e[one] ? other : one}.`);
  }
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
    superadmin:
      e.SUPERADMIN_EMAIL && e.SUPERADMIN_PASSWORD
        ? { email: e.SUPERADMIN_EMAIL.toLowerCase(), password: e.SUPERADMIN_PASSWORD }
        : undefined,
    trustProxy: e.TRUST_PROXY ? e.TRUST_PROXY.split(',').map((s) => s.trim()) : false,
    stripe:
      e.STRIPE_SECRET_KEY && e.STRIPE_WEBHOOK_SECRET
        ? { secretKey: e.STRIPE_SECRET_KEY, webhookSecret: e.STRIPE_WEBHOOK_SECRET, apiBase: e.STRIPE_API_BASE }
        : undefined,
    redsys:
      e.REDSYS_MERCHANT_CODE && e.REDSYS_SECRET_KEY
        ? { merchantCode: e.REDSYS_MERCHANT_CODE, terminal: e.REDSYS_TERMINAL, secretKey: e.REDSYS_SECRET_KEY, url: REDSYS[e.REDSYS_URL] }
        : undefined,
    logLevel: e.LOG_LEVEL,
    demo,
  };
}

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
