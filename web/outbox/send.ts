import type { EndpointDef } from '../../contract/kit/endpoint.ts';
import { PERSON } from '../../contract/session/fields.ts';
import { ApiError, call, fieldErrors } from '../api.ts';
import { isFile, type Operation, type Outcome } from './operation.ts';

/* Sends an operation, and judges its answer. */

/** An answer that was lost, by the server too, is asked for this often. */
const UNKNOWN_TRIES = 5;
/** Timeout of a file, in milliseconds: a photo on a bad connection takes its time. */
const FILE_LIMIT_MS = 60_000;
const BUSY = [429, 502, 503, 504];

/** Judges a failed sending, the operation's answer unknown for the `unknowns`-th time. */
export function outcomeOf(error: unknown, unknowns: number): Outcome {
  if (!(error instanceof ApiError)) return { kind: 'faulty', reason: 'Error del programa: no se ha podido enviar' };
  const { status, code = '', message } = error;
  if (status === 0) return { kind: 'silent' };
  if (BUSY.includes(status)) return { kind: 'busy', limited: status === 429 };
  if (code === 'idempotency_unknown' && unknowns < UNKNOWN_TRIES) return { kind: 'busy', unknown: true };
  if (status === 401 || status === 419 || code === 'step_up' || code.startsWith('pending_')) return { kind: 'signedOut' };
  if (status >= 500) return { kind: 'faulty', reason: message };
  return { kind: 'refused', reason: message, error, ...(status === 422 && { fields: fieldErrors(error) }) };
}

/**
 * Idempotency key of an operation: its id. A file gets another key for each try, because a lost answer would block the first one for ever
 * (409); the server keeps each file once by its content.
 */
export const keyOf = (operation: Pick<Operation, 'id' | 'file' | 'tries'>): string =>
  isFile(operation) && operation.tries > 0 ? `${operation.id}-${operation.tries}` : operation.id;

/** Sends an operation with the bytes of its file, in the name of its person. Throws `ApiError`. */
export async function sendOperation(operation: Operation, bytes: ArrayBuffer | undefined): Promise<Outcome> {
  const { method, path, body, person, file } = operation;
  const sent = file === undefined ? { body } : { file: new Blob([bytes ?? ''], { type: file }), limit: FILE_LIMIT_MS };
  const headers = { 'idempotency-key': keyOf(operation), [PERSON]: person };
  const answer: unknown = await call({ method, path, action: 'session' } as EndpointDef, { ...sent, headers } as object);
  const { message } = { message: '', ...(answer as object) } as { message: string };
  return { kind: 'accepted', message };
}
