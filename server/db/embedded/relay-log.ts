import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Log } from '../../log/log.ts';

/** Settings for `relayLog`: they keep row values, which are personal data, out of the log. */
export const LOG_SETTINGS = {
  log_line_prefix: '%b: ',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};

const LINE = /^(?<who>[^:]+): (?<severity>[A-Z0-9]+): {2}(?<message>.*)$/;
const LEVELS: Record<string, 'fatal' | 'error' | 'warn' | 'info' | 'debug'> = {
  PANIC: 'fatal',
  FATAL: 'error',
  ERROR: 'error',
  WARNING: 'warn',
  LOG: 'info',
};

/** Copies PostgreSQL's log into the program's; returns a function for the last 20 lines. Skips statement errors, which their callers log. */
export function relayLog(stderr: Readable, log: Log): () => string[] {
  const last: string[] = [];
  createInterface(stderr).on('line', (line) => {
    last.push(line);
    if (last.length > 20) last.shift();
    const { who = 'postgres', severity = 'LOG', message = line } = LINE.exec(line)?.groups ?? {};
    const isClient = who === 'client backend' || who === 'not initialized';
    if (isClient && severity === 'ERROR') return;
    // A refused or ended session is not a server failure.
    const level = isClient && severity === 'FATAL' ? 'info' : (LEVELS[severity] ?? 'debug');
    log[level]({ postgres: who }, message);
  });
  return () => last;
}
