import { BlockList, isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Tables } from './schema.ts';

/** Milliseconds. `whole`: longest wait. `look`: pause between attempts. */
const PATIENCE = { whole: 60_000, look: 1000 };
/** Codes of a server that may still be starting: refused, no socket, name or route yet, or SQLSTATE 57P03. */
const STARTING = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', '57P03'];

/** True if the error comes from a database that may still be starting. */
export function isStarting(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return STARTING.includes(code) || /^Connection terminated|^timeout exceeded|^Query read timeout/.test(message);
}

/** True if the error says that the connection is lost, so that its open transaction is rolled back. */
export function isLost(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return (
    /^(08...|57P0[123])$/.test(code) ||
    ['ECONNRESET', 'EPIPE'].includes(code) ||
    /^Connection terminated|connection error and is not queryable/.test(message)
  );
}

/** Milliseconds. `whole`: longest time to hold a request while the database restarts. `look`: pause between attempts. */
export const HOLD = { whole: 2000, look: 50 };

/** Retries `connect` for two seconds while the database is starting, which is safe before anything is sent. Throws the last error. */
export async function holdWhileStarting<T>(connect: () => Promise<T>, hold = HOLD): Promise<T> {
  const until = Date.now() + hold.whole;
  for (;;) {
    try {
      return await connect();
    } catch (error) {
      if (!(isStarting(error) || isLost(error)) || Date.now() + hold.look > until) throw error;
      await wait(hold.look);
    }
  }
}

/** Waits up to a minute for a starting database; calls `onWait` once before waiting. Throws a Spanish sentence about `DATABASE_URL`. */
export async function waitForDatabase(db: Kysely<Tables>, onWait: () => void, patience = PATIENCE): Promise<void> {
  for (let waited = 0; ; waited += patience.look) {
    try {
      await sql`SELECT 1`.execute(db);
      return;
    } catch (error) {
      const mayCome = isStarting(error);
      if (mayCome && waited < patience.whole) {
        if (waited === 0) onWait();
        await wait(patience.look);
        continue;
      }
      const why = mayCome ? 'PostgreSQL no responde en esa dirección' : whyNot(error as Error & { code?: string });
      throw why ? new Error(`DATABASE_URL: ${why}.`, { cause: error }) : error;
    }
  }
}

/** Waits for the database and runs the repeatable `work`, up to five times if the database restarts. Throws like `waitForDatabase`. */
export async function onceReady<T>(db: Kysely<Tables>, onWait: () => void, work: () => Promise<T>, patience = PATIENCE): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    await waitForDatabase(db, onWait, patience);
    try {
      return await work();
    } catch (error) {
      const causes = [error, (error as Error).cause];
      const why = causes.map((cause) => WHY[(cause as { code?: string } | undefined)?.code ?? '']).find((each) => each === POOLED);
      if (why) throw new Error(`DATABASE_URL: ${why}.`, { cause: error });
      if (attempt === 5 || !causes.some((cause) => cause && (isStarting(cause) || isLost(cause)))) throw error;
      await wait(patience.look);
    }
  }
}

/** Returns why PostgreSQL refuses the connection, in Spanish; undefined for another error. */
export const whyNot = ({ code = '', message }: { code?: string; message: string }): string | undefined =>
  WHY[code] ?? WHY[code.slice(0, 2)] ?? (/does not support SSL/.test(message) ? NO_TLS : undefined);

const NO_TLS =
  'ese PostgreSQL no cifra las conexiones, y sslmode lo pide: actívalo allí, o pon sslmode=disable si va por una red de confianza';
const UNTRUSTED =
  'el certificado de PostgreSQL no es de confianza, y Enruta lo comprueba también con sslmode=require. Si la autoridad es tuya o de tu ' +
  'proveedor, indica su archivo con &sslrootcert=RUTA o con NODE_EXTRA_CA_CERTS; sslmode=no-verify cifra sin comprobar quién responde';
const POOLED =
  'PgBouncer, o algo parecido, reparte las transacciones de una conexión entre varias, y Enruta necesita sesiones enteras: pon en él pool_mode = session';
const WHY: Record<string, string> = {
  '28': 'PostgreSQL no acepta ese usuario o esa contraseña',
  '3D': 'esa base de datos no existe: créala antes (CREATE DATABASE)',
  '42501': 'ese usuario no tiene permisos en la base de datos: debe ser su dueño',
  '42P05': POOLED,
  '26000': POOLED,
  '53300': 'PostgreSQL no admite más conexiones (max_connections)',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: 'el certificado de PostgreSQL es de otro nombre: usa en la dirección el nombre que lleva el certificado',
  CERT_HAS_EXPIRED: 'el certificado de PostgreSQL ha caducado',
};

const PRIVATE = new BlockList();
for (const [net, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  PRIVATE.addSubnet(net, prefix);
for (const [net, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  PRIVATE.addSubnet(net, prefix, 'ipv6');

/** Supported values of `sslmode`. */
export const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** Returns the address with an explicit check of the certificate, which `require` of node-postgres 9 silently stops. */
export const withCheckedTls = (databaseUrl: string): string =>
  /[?&]uselibpqcompat=true(&|$)/.test(databaseUrl)
    ? databaseUrl
    : databaseUrl.replace(/([?&]sslmode=)(?:allow|prefer|require|verify-ca)(?=&|$)/, '$1verify-full');

export const IN_CLEAR = 'va sin cifrar por una red: añade ?sslmode=verify-full a DATABASE_URL';
/** True if the connection is unencrypted to an address neither local nor private. Names without a dot count as private. */
export function isInClear(databaseUrl: string): boolean {
  const { hostname, searchParams } = new URL(databaseUrl);
  const mode = searchParams.get('sslmode') ?? (searchParams.has('ssl') ? 'require' : 'disable');
  if (mode !== 'disable' && !(searchParams.get('uselibpqcompat') === 'true' && ['allow', 'prefer'].includes(mode))) return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  return family ? !PRIVATE.check(host, family === 6 ? 'ipv6' : 'ipv4') : host.includes('.');
}
