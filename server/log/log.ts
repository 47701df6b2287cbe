import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { type DestinationStream, pino } from 'pino';

export type Log = FastifyBaseLogger;

/** Creates the program's log: JSON lines on `stream`. */
export const createLog = (level: string, stream: DestinationStream = process.stdout): Log =>
  pino({ level, base: null, serializers: { err: errorForLog, req: requestForLog } }, stream);

/** Limits `write` to once per `ms` and passes the number of skipped calls: an outage is one line, not one per request. */
export function logSparingly<A extends unknown[]>(write: (leftOut: number, ...about: A) => void, ms = 10_000): (...about: A) => void {
  let quietUntil = 0;
  let leftOut = 0;
  return (...about) => {
    if (Date.now() < quietUntil) return void leftOut++;
    quietUntil = Date.now() + ms;
    write(leftOut, ...about);
    leftOut = 0;
  };
}

/** Returns the fields of an error without personal data, which messages of the database, providers and mail servers can contain. */
export function errorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const fields = error as Error & Record<string, unknown>;
  return {
    type: error.name,
    ...Object.fromEntries(SAFE.filter((name) => /^(string|number)$/.test(typeof fields[name])).map((name) => [name, fields[name]])),
    ...(PROGRAMMING.some((type) => error instanceof type) ? { message: error.message } : {}),
    stack: (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)),
    ...(error.cause === undefined ? {} : { cause: errorForLog(error.cause) }),
  };
}
const SAFE = ['code', 'severity', 'schema', 'table', 'column', 'constraint', 'routine', 'syscall', 'statusCode'];
// Messages of these errors name code, not data.
const PROGRAMMING = [TypeError, RangeError, ReferenceError];

// Logs the route instead of the URL, which can hold payment tokens and search text, and a visitor's network instead of the address.
const requestForLog = ({ method, routeOptions, ip }: FastifyRequest) => ({ method, route: routeOptions?.url, network: shortened(ip) });

/** Returns the /24 of an IPv4 address or the /48 of an IPv6 one, which many visitors share. */
const shortened = (ip: string) =>
  (ip.includes('.') ? ip.replace(/\d+$/, '0') : ip.replace(/^((?:[\da-f]*:){3}).*/i, '$1:')).replace(/:{3,}$/, '::');
