import type { ErrorBody } from '../contract/kit/endpoint.ts';

/* Requests without an answer: timeouts and messages. */

/** Timeout of a request, in milliseconds. */
export const LIMIT_MS = 15_000;
/** Timeout of a follow-up check, in milliseconds; short, because the person is already waiting. */
export const LOOKING_MS = 2000;

export const NO_CONNECTION = 'Error al conectar con el servidor';
/** Error codes of a late and of a lost answer: in both cases a write may or may not have happened. */
export const LATE = 'late';
export const LOST = 'lost';

const UNKNOWN = 'No ha llegado respuesta. Puede que se haya guardado: compruébalo antes de repetir.';
// The idempotency key makes a retry safe.
const REPEATABLE = 'No ha llegado respuesta. Puedes enviarlo otra vez: no se guardará dos veces.';

/** Message for a request without an answer. */
export function noAnswer(code: typeof LATE | typeof LOST, method: string, headers: Record<string, string> = {}): ErrorBody {
  const writes = method !== 'GET';
  if (!navigator.onLine) {
    return {
      message: writes ? 'Sin conexión a Internet: no se ha enviado. Vuelve a intentarlo cuando la haya.' : 'Sin conexión a Internet',
    };
  }
  if (writes) return { code, message: headers['idempotency-key'] ? REPEATABLE : UNKNOWN };
  return { code, message: code === LATE ? 'El servidor no ha respondido a tiempo' : NO_CONNECTION };
}

/** Runs `work` with a signal that aborts after `ms` or with `outer`; throws `onLate()` after a timeout. */
export async function inTime<T>(
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

/** True if the body has a message to show. */
export const hasMessage = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string';

/** Adds the request id to a server error (5xx), so that its log entry can be found. */
export function withReference(body: ErrorBody, { status, headers }: Response): ErrorBody {
  const id = headers.get('x-request-id');
  return status < 500 || !id || body.message.includes(id) ? body : { ...body, message: `${body.message} (Código: ${id})` };
}

export type Received = { response: Response; body: object };

/** Returns the response with its body if Enruta sent it; undefined for a proxy's page, a captive portal or a truncated body. */
export async function readBody(response: Response): Promise<Received | undefined> {
  const body: unknown = await response.json().catch(() => undefined);
  const isOurs = typeof body === 'object' && body !== null && (response.ok || hasMessage(body));
  return isOurs ? { response, body } : undefined;
}
