import type { EndpointDef } from '../../contract/kit/endpoint.ts';
import { PERSON } from '../../contract/session/fields.ts';
import { ApiError, call, fieldErrors } from '../api.ts';
import { isFile, type Operation, type Outcome } from './operation.ts';

/* Sends an operation, and classifies the response. */

/** Maximum tries while the server no longer knows the response to an idempotency key. */
const UNKNOWN_TRIES = 5;
/** Timeout of a file in ms. Long, because photos are slow on a bad connection. */
const FILE_LIMIT_MS = 60_000;
const BUSY = [429, 502, 503, 504];

/** Classifies the error of a try. `unknowns`: tries answered with `idempotency_unknown`, including this one. */
export function classifyError(error: unknown, unknowns: number): Outcome {
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
 * Returns the idempotency key of an operation. Steps use their id. Files get a new key for each try, because a lost response would block
 * the first key for ever (409). The server recognises a repeated file by its content.
 */
export const idempotencyKey = (operation: Pick<Operation, 'id' | 'file' | 'tries'>): string =>
  isFile(operation) && operation.tries > 0 ? `${operation.id}-${operation.tries}` : operation.id;

/** Sends an operation, or its file with `bytes`, on behalf of its person. Throws `ApiError`. */
export async function sendOperation(operation: Operation, bytes: ArrayBuffer | undefined): Promise<Outcome> {
  const { method, path, body, person, file } = operation;
  const sent = file === undefined ? { body } : { file: new Blob([bytes ?? ''], { type: file }), limit: FILE_LIMIT_MS };
  const headers = { 'idempotency-key': idempotencyKey(operation), [PERSON]: person };
  const answer: unknown = await call({ method, path, action: 'session' } as EndpointDef, { ...sent, headers } as object);
  const { message } = { message: '', ...(answer as object) } as { message: string };
  return { kind: 'accepted', message };
}
