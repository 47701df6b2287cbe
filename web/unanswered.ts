import type { ErrorBody } from '../contract/kit.ts';

/* Requests that get no answer: how long they wait, and what is said then. */

/** How long the server has to answer, in milliseconds. */
export const LIMIT_MS = 15_000;
/** For looking whether something was done, when the person waits for the first answer as it is. */
export const LOOKING_MS = 2000;

export const NO_CONNECTION = 'Error al conectar con el servidor';
/** The codes of an answer that did not come in time, and of one that got lost: a write may have been done or not. */
export const LATE = 'late';
export const LOST = 'lost';

const UNKNOWN = 'No ha llegado respuesta. Puede que se haya guardado: compruébalo antes de repetir.';
// The server knows the repeat of a request with a key for what it is.
const REPEATABLE = 'No ha llegado respuesta. Puedes enviarlo otra vez: no se guardará dos veces.';

/** What to tell about a request without an answer. */
export function unanswered(code: typeof LATE | typeof LOST, method: string, headers: Record<string, string> = {}): ErrorBody {
  const writes = method !== 'GET';
  if (!navigator.onLine) {
    return {
      message: writes ? 'Sin conexión a Internet: no se ha enviado. Vuelve a intentarlo cuando la haya.' : 'Sin conexión a Internet',
    };
  }
  if (writes) return { code, message: headers['idempotency-key'] ? REPEATABLE : UNKNOWN };
  return { code, message: code === LATE ? 'El servidor no ha respondido a tiempo' : NO_CONNECTION };
}

/**
 * Gives `work` a signal that aborts after `ms` or when `outer` does; throws what `onLate` makes when the time was
 * over first.
 */
export async function within<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
  onLate: () => Error,
): Promise<T> {
  const own = new AbortController();
  const abort = () => own.abort();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    abort();
  }, ms);
  if (outer?.aborted) abort();
  outer?.addEventListener('abort', abort);
  try {
    return await work(own.signal);
  } catch (error) {
    throw late ? onLate() : error;
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  }
}

/** Whether a body says something to a person. */
export const hasMessage = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string';

/** Adds to an error of the server the id under which the log tells more. */
export function withReference(body: ErrorBody, { status, headers }: Response): ErrorBody {
  const id = headers.get('x-request-id');
  return status < 500 || !id || body.message.includes(id) ? body : { ...body, message: `${body.message} (Código: ${id})` };
}
