import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { type DestinationStream, pino } from 'pino';

export type Log = FastifyBaseLogger;

/** The program's log: JSON lines on standard output, or on `stream`. */
export const createLog = (level: string, stream: DestinationStream = process.stdout): Log =>
  pino({ level, base: null, serializers: { err: errorForLog, req: requestForLog } }, stream);

/**
 * Writes at most once in `ms` and tells the next time how many were left out: an outage is one line, not one for each
 * request and connection.
 */
export function sparingly<A extends unknown[]>(write: (leftOut: number, ...about: A) => void, ms = 10_000): (...about: A) => void {
  let quietUntil = 0;
  let leftOut = 0;
  return (...about) => {
    if (Date.now() < quietUntil) return void leftOut++;
    quietUntil = Date.now() + ms;
    write(leftOut, ...about);
    leftOut = 0;
  };
}

/**
 * The fields of an error known to hold no personal data. The message of a database error, its `detail` and its
 * parameters repeat the row; those of a provider or a mail server may repeat the customer.
 */
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
// The JavaScript engine's own messages name code, not data.
const PROGRAMMING = [TypeError, RangeError, ReferenceError];

// Without the path's values and the query, which hold payment tokens and what people search for.
const requestForLog = ({ method, routeOptions, ip }: FastifyRequest) => ({ method, route: routeOptions?.url, ip });
